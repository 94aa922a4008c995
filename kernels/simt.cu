// How threads are numbered, and what it costs when the lanes of a warp take
// different paths.

// One thread per element: no thread needs another one's result. The last block
// may extend past the end, so compare the index with n.
__global__ void add(float *c, const float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

// The number of a thread's warp within its block. Threads are numbered along x,
// then y, then z; 32 consecutive ones form a warp. In two dimensions its shape
// follows from the block's. n is a multiple of both dimensions.
__global__ void number(int *warps, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int in_block = threadIdx.y * blockDim.x + threadIdx.x;
	warps[y * n + x] = in_block / 32;
}

constexpr int ITERATIONS = 256; // of work on each path

// The work of one path. The paths differ only in a constant; the assembler
// comment keeps the compiler from seeing that and merging them into one.
template <int PATH> __device__ unsigned work(unsigned x)
{
#pragma unroll 1
	for (int i = 0; i < ITERATIONS; i++)
		x = x * x + PATH;
	asm volatile("// path %0" ::"n"(PATH));
	return x;
}

// Takes one of the paths 0 to PATHS - 1.
template <int PATHS> __device__ unsigned go(unsigned path, unsigned x)
{
	if (path == PATHS - 1)
		return work<PATHS - 1>(x);
	if constexpr (PATHS > 1)
		return go<PATHS - 1>(path, x);
	return x;
}

// Neighboring threads take different paths: each warp diverges.
template <int PATHS> __global__ void within(unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = go<PATHS>(i % PATHS, i % 32);
}

// Neighboring warps take different paths: each warp stays converged.
template <int PATHS> __global__ void between(unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = go<PATHS>(i / 32 % PATHS, i % 32);
}

// Two paths within the warp again, but so short that the compiler does not
// branch: it computes the condition and selects a value.
__global__ void selected(unsigned *out)
{
	unsigned at = blockIdx.x * blockDim.x + threadIdx.x, x = at % 32;
#pragma unroll 1
	for (int i = 0; i < ITERATIONS; i++)
		x = x * x + ((x & 1) ? 5 : 7);
	out[at] = x;
}
