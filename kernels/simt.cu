// How threads are numbered, and what it costs when those of a warp go different
// ways.

// One thread, one element: no thread needs another one's result. The last block
// may hang over the end, so that the index has to be compared with n.
__global__ void add(float *c, const float *a, const float *b, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		c[i] = a[i] + b[i];
}

// Which warp of its block a thread is in. Threads are numbered along x, then y,
// then z, and each 32 of that count are a warp: in two dimensions its shape is
// the block's doing. n is a multiple of the block in both directions.
__global__ void number(int *warps, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int in_block = threadIdx.y * blockDim.x + threadIdx.x;
	warps[y * n + x] = in_block / 32;
}

constexpr int ROUNDS = 256; // of work on each way

// What is done on way WAY. The ways differ only by a number; the remark for the
// assembler keeps the compiler from seeing that and making one way of them all.
template <int WAY> __device__ unsigned work(unsigned x)
{
#pragma unroll 1
	for (int i = 0; i < ROUNDS; i++)
		x = x * x + WAY;
	asm volatile("// way %0" ::"n"(WAY));
	return x;
}

// Takes one of the ways 0 to WAYS - 1.
template <int WAYS> __device__ unsigned go(unsigned way, unsigned x)
{
	if (way == WAYS - 1)
		return work<WAYS - 1>(x);
	if constexpr (WAYS > 1)
		return go<WAYS - 1>(way, x);
	return x;
}

// Neighbouring threads take different ways: each warp has all of them in it.
template <int WAYS> __global__ void within(unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = go<WAYS>(i % WAYS, i % 32);
}

// Neighbouring warps take different ways: the threads of a warp stay together.
template <int WAYS> __global__ void between(unsigned *out)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = go<WAYS>(i / 32 % WAYS, i % 32);
}

// Two ways within the warp again, but so short that the compiler makes no
// branch of them: both sides are computed, and one is chosen.
__global__ void chosen(unsigned *out)
{
	unsigned at = blockIdx.x * blockDim.x + threadIdx.x, x = at % 32;
#pragma unroll 1
	for (int i = 0; i < ROUNDS; i++)
		x = x * x + ((x & 1) ? 5 : 7);
	out[at] = x;
}
