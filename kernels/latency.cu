// How long one has to wait for a result, and how to have something else to do.

constexpr int THREADS = 128; // in a block of the copies
constexpr int ITEMS = 16;    // elements that a thread copies

// A thread copies 16 elements, TOGETHER at a time: that many loads are sent off
// before the first of them is waited for. How many blocks an SM holds is set by
// the shared memory that they are given and do not use.
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

// One thread follows a chain through memory: each element tells where the next
// one is, and nothing can be begun before it is there.
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

// The same for arithmetic: each multiply-add needs the one before.
__global__ void chase_sums(float *out, float a, float b, int steps)
{
	float x = 0;
#pragma unroll 8
	for (int i = 0; i < steps; i++)
		x = x * a + b;
	*out = x;
}
