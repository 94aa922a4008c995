#define TILE 32
#define ROWS 8

extern "C" __global__ void copy(float *out, const float *in, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += ROWS)
		out[x + (y + k) * n] = in[x + (y + k) * n];
}

extern "C" __global__ void naive(float *out, const float *in, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += ROWS)
		out[x * n + y + k] = in[x + (y + k) * n];
}

template <int PAD> __global__ void tile(float *out, const float *in, int n)
{
	__shared__ float t[TILE][TILE + PAD];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += ROWS)
		t[threadIdx.y + k][threadIdx.x] = in[x + (y + k) * n];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int k = 0; k < TILE; k += ROWS)
		out[x + (y + k) * n] = t[threadIdx.x][threadIdx.y + k];
}
template __global__ void tile<0>(float *, const float *, int);
template __global__ void tile<1>(float *, const float *, int);
