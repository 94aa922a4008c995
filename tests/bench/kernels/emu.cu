/* Kernels the emulator's speed is measured on: a matrix product from shared memory, a loop of arithmetic, a scattered gather. */
#define TILE 16

extern "C" __global__ void matmul(float *c, const float *a, int n)
{
	__shared__ float s[TILE][TILE], t[TILE][TILE];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k += TILE) {
		s[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
		t[threadIdx.y][threadIdx.x] = a[(k + threadIdx.y) * n + x];
		__syncthreads();
		for (int j = 0; j < TILE; j++)
			sum += s[threadIdx.y][j] * t[j][threadIdx.x];
		__syncthreads();
	}
	c[y * n + x] = sum;
}

extern "C" __global__ void mandel(float *out, const float *in, int n)
{
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	float cr = 3.0f * x / n - 2.2f, ci = 2.4f * y / n - 1.2f, r = 0, i = 0;
	int k = 0;
	while (k < 200 && r * r + i * i < 4.0f) {
		float t = r * r - i * i + cr;
		i = 2 * r * i + ci;
		r = t;
		k++;
	}
	out[y * n + x] = k + in[0];
}

extern "C" __global__ void reduce(float *out, const float *in, int n)
{
	__shared__ float part[8];
	float v = 0;
	int t = threadIdx.x + 16 * threadIdx.y;
	for (int i = (blockIdx.x + gridDim.x * blockIdx.y) * 256 + t; i < n * n; i += gridDim.x * gridDim.y * 256)
		v += in[i];
	for (int d = 16; d; d >>= 1)
		v += __shfl_down_sync(~0u, v, d);
	if (t % 32 == 0)
		part[t / 32] = v;
	__syncthreads();
	if (t == 0) {
		for (int k = 1; k < 8; k++)
			v += part[k];
		atomicAdd(out, v);
	}
}
