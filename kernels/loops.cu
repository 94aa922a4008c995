// Loop overhead, and independent work that hides latency.

// FMAs, each of which depends on the one before; UNROLL of them per iteration.
template <int UNROLL>
__global__ void loop(float *out, float a, float b, int repeats)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = threadIdx.x % 32;
#pragma unroll UNROLL
	for (int k = 0; k < repeats; k++)
		x = x * a + b;
	out[i] = x;
}

// The same without an unroll pragma.
__global__ void loop_as_compiled(float *out, float a, float b, int repeats)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = threadIdx.x % 32;
	for (int k = 0; k < repeats; k++)
		x = x * a + b;
	out[i] = x;
}

constexpr int WORDS = 512; // of shared memory that a thread reads in turn

// A loop over shared memory: an address has to be updated as well.
template <int UNROLL>
__global__ void walk(float *out, const float *in, float a, int iterations)
{
	__shared__ float words[WORDS + 32];
	for (int k = threadIdx.x; k < WORDS + 32; k += blockDim.x)
		words[k] = in[k];
	__syncthreads();

	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = 0;
#pragma unroll 1
	for (int r = 0; r < iterations; r++)
#pragma unroll UNROLL
		for (int k = 0; k < WORDS; k++)
			x = x * a + words[threadIdx.x % 32 + k];
	out[i] = x;
}

// CHAINS independent dependency chains: while the result of one FMA is
// outstanding, FMAs of the other chains can be issued.
template <int CHAINS>
__global__ void chains(float *out, float a, float b, int repeats)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	float x[CHAINS], sum = 0;
#pragma unroll
	for (int c = 0; c < CHAINS; c++)
		x[c] = threadIdx.x % 32 + c;
#pragma unroll 8
	for (int k = 0; k < repeats; k++)
#pragma unroll
		for (int c = 0; c < CHAINS; c++)
			x[c] = x[c] * a + b;
#pragma unroll
	for (int c = 0; c < CHAINS; c++)
		sum += x[c];
	out[i] = sum;
}

constexpr int VALUES = 16; // words of shared memory, read repeatedly

// One operand in shared memory. The words are volatile, otherwise the compiler
// would keep them in registers; all threads read the same one.
struct Add {
	static __device__ float of(float a, float, float s) { return a + s; }
};
struct MultiplyByItself {
	static __device__ float of(float a, float, float s) { return fmaf(a, s, a); }
};
struct MultiplyByOther {
	static __device__ float of(float a, float b, float s) { return fmaf(b, s, a); }
};

template <class Operation>
__global__ void operand(float *out, const float *in, float b, int repeats)
{
	__shared__ volatile float s[VALUES];
	if (threadIdx.x < VALUES)
		s[threadIdx.x] = in[threadIdx.x];
	__syncthreads();

	float x = 2, y = 1;
#pragma unroll 4
	for (int i = 0; i < repeats; i++)
#pragma unroll
		for (int j = 0; j < VALUES; j += 2) {
			x = Operation::of(x, b, s[j]);
			y = Operation::of(y, b, s[j + 1]);
		}
	out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}
