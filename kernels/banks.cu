// One access pattern per kernel, and no other work that matters: in blocks of
// 32 × 8 threads each warp reads by its pattern READS times and sums what it
// reads. The sums go to out[], so a wrong pattern gives a wrong result.
//
// The arrays are volatile because the compiler would otherwise read once and
// multiply. A warp is a row of the block, so threadIdx.x is the lane.
constexpr int READS = 512; // per thread

// Fills a block's array from data[]; all threads of the block take part.
template <typename Word> __device__ void fill(volatile Word *s, const Word *data, int words)
{
	for (int i = threadIdx.x + 32 * threadIdx.y; i < words; i += 32 * blockDim.y)
		s[i] = data[i];
	__syncthreads();
}

// Stores a thread's sum at the thread's own position in out[].
template <typename Word> __device__ void keep(Word *out, Word sum)
{
	out[(blockIdx.x * blockDim.y + threadIdx.y) * 32 + threadIdx.x] = sum;
}

// Consecutive words, wherever they start.
template <int OFFSET> __global__ void offset(unsigned *out, const unsigned *data)
{
	volatile __shared__ unsigned s[32 + OFFSET];
	fill(s, data, 32 + OFFSET);
	unsigned sum = 0;
#pragma unroll 16
	for (int i = 0; i < READS; i++)
		sum += s[threadIdx.x + OFFSET];
	keep(out, sum);
}

// Every C-th word.
template <int C> __global__ void stride(unsigned *out, const unsigned *data)
{
	volatile __shared__ unsigned s[32 * C];
	fill(s, data, 32 * C);
	unsigned sum = 0;
#pragma unroll 16
	for (int i = 0; i < READS; i++)
		sum += s[threadIdx.x * C];
	keep(out, sum);
}

// C neighboring threads share a word; with C = 32 the whole warp does.
template <int C> __global__ void share(unsigned *out, const unsigned *data)
{
	volatile __shared__ unsigned s[32];
	fill(s, data, 32);
	unsigned sum = 0;
#pragma unroll 16
	for (int i = 0; i < READS; i++)
		sum += s[threadIdx.x / C];
	keep(out, sum);
}

// Every C-th word, of 64-bit words: each occupies two banks of 32 bits.
template <int C> __global__ void wide(unsigned long long *out, const unsigned long long *data)
{
	volatile __shared__ unsigned long long s[32 * C];
	fill(s, data, 32 * C);
	unsigned long long sum = 0;
#pragma unroll 16
	for (int i = 0; i < READS; i++)
		sum += s[threadIdx.x * C];
	keep(out, sum);
}
