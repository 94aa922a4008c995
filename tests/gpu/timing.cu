// What tests/gpu/timing.lua times: transposes, a reduction, a matrix product and a copy.
template <int WIDTH> __global__ void transpose(float *out, const float *in, int n)
{
	__shared__ float tile[32][WIDTH];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[x + (y + i) * n];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) out[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];
}

// One partial sum a block of 256 threads.
__global__ void reduce(float *out, const float *in, int n)
{
	__shared__ float part[256];
	float sum = 0;
	for (int i = blockIdx.x * 256 + threadIdx.x; i < n * n; i += gridDim.x * 256) sum += in[i];
	part[threadIdx.x] = sum;
	for (int half = 128; half > 0; half /= 2) {
		__syncthreads();
		if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
	}
	if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void multiply(float *out, const float *in, int n)
{
	__shared__ float a[32][32], b[32][32];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k += 32) {
		a[threadIdx.y][threadIdx.x] = in[y * n + k + threadIdx.x];
		b[threadIdx.y][threadIdx.x] = in[(k + threadIdx.y) * n + x];
		__syncthreads();
		for (int j = 0; j < 32; j++) sum += a[threadIdx.y][j] * b[j][threadIdx.x];
		__syncthreads();
	}
	out[y * n + x] = sum;
}

__global__ void copy(float4 *out, const float4 *in, int n)
{
	unsigned i = blockIdx.x * 256 + threadIdx.x;
	if (i < n / 4 * n) out[i] = in[i];
}
