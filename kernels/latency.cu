// How long a result takes, and how to have other work in the meantime.

constexpr int THREADS = 128; // per block of the copies
constexpr int ITEMS = 16;    // elements per thread

// A thread copies 16 elements, TOGETHER at a time: it issues that many loads
// before it waits for the first. The unused shared memory of the launch sets how
// many blocks an SM holds.
template <class T, int TOGETHER>
__global__ void copy(float *to, const float *from)
{
	T *out = (T *)to;
	const T *in = (const T *)from;
	size_t first = (size_t)blockIdx.x * THREADS * ITEMS + threadIdx.x;
#pragma unroll 1
	for (int i = 0; i < ITEMS; i += TOGETHER) {
		T x[TOGETHER];
#pragma unroll
		for (int k = 0; k < TOGETHER; k++)
			x[k] = in[first + (i + k) * THREADS];
#pragma unroll
		for (int k = 0; k < TOGETHER; k++)
			out[first + (i + k) * THREADS] = x[k];
	}
}

// Pointer chasing by one thread: each element is the index of the next, and no
// load can issue before the previous one returns.
__global__ void chase(unsigned *out, const unsigned *next, int steps)
{
	unsigned at = 0;
#pragma unroll 8
	for (int i = 0; i < steps; i++)
		at = next[at];
	*out = at;
}

constexpr int WORDS = 2048; // of the chain in shared memory

__global__ void chase_shared(unsigned *out, const unsigned *next, int steps)
{
	__shared__ unsigned words[WORDS];
	for (int i = threadIdx.x; i < WORDS; i += blockDim.x)
		words[i] = next[i] % WORDS;
	__syncthreads();
	unsigned at = 0;
#pragma unroll 8
	for (int i = 0; i < steps; i++)
		at = words[at];
	if (threadIdx.x == 0)
		*out = at;
}

// The same for arithmetic: each FMA needs the result of the one before.
__global__ void chase_fma(float *out, float a, float b, int steps)
{
	float x = 0;
#pragma unroll 8
	for (int i = 0; i < steps; i++)
		x = x * a + b;
	*out = x;
}
