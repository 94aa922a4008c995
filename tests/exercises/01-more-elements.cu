// === cheat-fixed-stride
__global__ void scale(float *y, const float *x, float factor, int n)
{
	for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 4096)
		y[i] = factor * x[i];
}

// === cheat-half-grid
// Every second block works.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	if (blockIdx.x % 2)
		return;
	for (int i = blockIdx.x / 2 * blockDim.x + threadIdx.x; i < n; i += gridDim.x / 2 * blockDim.x)
		y[i] = factor * x[i];
}

// === cheat-thirteen
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	for (int k = 0; k < 13; k++)
		if (i + k * 4096 < n)
			y[i + k * 4096] = factor * x[i + k * 4096];
}

// === honest-float4
// 16-byte accesses in a grid-stride loop, and the rest one by one.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
	for (int i = t; i < n / 4; i += threads) {
		float4 v = ((const float4 *)x)[i];
		((float4 *)y)[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
	}
	int i = n / 4 * 4 + t;
	if (i < n)
		y[i] = factor * x[i];
}

// === honest-pieces
// A contiguous piece of the vector per block, coalesced within it.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int piece = (n + gridDim.x - 1) / gridDim.x;
	piece = (piece + 31) / 32 * 32;
	int first = blockIdx.x * piece, end = min(first + piece, n);
	for (int i = first + threadIdx.x; i < end; i += blockDim.x)
		y[i] = factor * x[i];
}

// === honest-two
// Two elements per iteration, both loaded before the first is used.
__global__ void scale(float *y, const float *__restrict__ x, float factor, int n)
{
	int threads = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
	for (; i + threads < n; i += 2 * threads) {
		float a = x[i], b = x[i + threads];
		y[i] = factor * a;
		y[i + threads] = factor * b;
	}
	if (i < n)
		y[i] = factor * x[i];
}

// === cheat-idle-lanes
// Eight lanes of each warp never work.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
	int warps = gridDim.x * blockDim.x / 32;
	if (lane < 24)
		for (int i = 24 * warp + lane; i < n; i += 24 * warps)
			y[i] = factor * x[i];
}

// === honest-uneven-pieces
// A contiguous piece per block, whose length is not a multiple of a warp's.
__global__ void scale(float *y, const float *x, float factor, int n)
{
	int from = (long long)n * blockIdx.x / gridDim.x, to = (long long)n * (blockIdx.x + 1) / gridDim.x;
	for (from += threadIdx.x; from < to; from += blockDim.x)
		y[from] = factor * x[from];
}

// === cheat-64-iterations
// At most 64 elements per thread.
// - i < n;
// + i < n && i < 64 * threads;
