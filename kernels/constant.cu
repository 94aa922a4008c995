// A table of 1024 words that all threads read. The cost of a lookup depends on the memory the
// table is in and on how many different words a warp reads at a time.
constexpr int WORDS = 1024;
constexpr int READS = 512; // per thread

// Filled before the launch, as cudaMemcpyToSymbol does.
__constant__ unsigned table[WORDS];

// Lanes form DIFFERENT groups; the lanes of a group read the same word.
template <int DIFFERENT> __global__ void from_constant(unsigned *out)
{
	unsigned group = threadIdx.x % 32 % DIFFERENT, sum = 0;
	for (unsigned r = 0; r < READS; r++)
		sum += table[(r + group) % WORDS];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The same words from a table in global memory, through the L1 cache.
template <int DIFFERENT> __global__ void from_global(unsigned *out, const unsigned *__restrict__ words)
{
	unsigned group = threadIdx.x % 32 % DIFFERENT, sum = 0;
	for (unsigned r = 0; r < READS; r++)
		sum += words[(r + group) % WORDS];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The same words from a copy in shared memory, which the block makes first.
template <int DIFFERENT> __global__ void from_shared(unsigned *out, const unsigned *__restrict__ words)
{
	__shared__ unsigned copy[WORDS];
	unsigned group = threadIdx.x % 32 % DIFFERENT, sum = 0;
	for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
		copy[i] = words[i];
	__syncthreads();
	for (unsigned r = 0; r < READS; r++)
		sum += copy[(r + group) % WORDS];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
