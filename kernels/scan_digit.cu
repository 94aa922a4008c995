// One digit of a radix sort: elements are moved into 16 buckets by four of
// their bits, and keep their order within a bucket.
constexpr int THREADS = 256; // per block
constexpr int WARPS = THREADS / 32;
constexpr int EACH = 8; // elements per thread
constexpr int DIGITS = 16;

__device__ unsigned digit(unsigned x, int bit) { return x >> bit & 15; }

// A thread's element: a warp has 256 consecutive ones.
__device__ unsigned element(int k)
{
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	return ((blockIdx.x * WARPS + warp) * EACH + k) * 32 + lane;
}

// How many elements of each digit a block has. All blocks of digit 0 are
// first, so that prefix sums of the counts are where their elements go.
__global__ void count_digits(int *counts, const unsigned *in, int bit,
	unsigned n)
{
	__shared__ int found[DIGITS];
	if (threadIdx.x < DIGITS)
		found[threadIdx.x] = 0;
	__syncthreads();
#pragma unroll
	for (int k = 0; k < EACH; k++)
		if (element(k) < n)
			atomicAdd(&found[digit(in[element(k)], bit)], 1);
	__syncthreads();
	if (threadIdx.x < DIGITS)
		counts[threadIdx.x * gridDim.x + blockIdx.x] = found[threadIdx.x];
}

// Each warp ranks its elements: those before it in the warp with the same
// digit. Then the warps of a block, and the blocks before it.
__global__ void move_by_digit(unsigned *out, const int *starts,
	const unsigned *in, int bit, unsigned n)
{
	__shared__ int places[WARPS][DIGITS];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32, ranks[EACH];
	for (int i = threadIdx.x; i < WARPS * DIGITS; i += THREADS)
		places[i / DIGITS][i % DIGITS] = 0;
	__syncthreads();
	unsigned x[EACH];
#pragma unroll
	for (int k = 0; k < EACH; k++) {
		bool there = element(k) < n;
		x[k] = there ? in[element(k)] : 0;
		unsigned d = there ? digit(x[k], bit) : DIGITS;
		unsigned equal = __match_any_sync(0xffffffff, d);
		int before = __popc(equal & ((1u << lane) - 1));
		ranks[k] = there ? places[warp][d] + before : 0;
		__syncwarp();
		if (there && before == 0)
			places[warp][d] += __popc(equal);
		__syncwarp();
	}
	__syncthreads();
	if (threadIdx.x < DIGITS) {
		int block = threadIdx.x * gridDim.x + blockIdx.x;
		int place = block > 0 ? starts[block - 1] : 0;
		for (int w = 0; w < WARPS; w++) {
			int count = places[w][threadIdx.x];
			places[w][threadIdx.x] = place;
			place += count;
		}
	}
	__syncthreads();
#pragma unroll
	for (int k = 0; k < EACH; k++)
		if (element(k) < n)
			out[places[warp][digit(x[k], bit)] + ranks[k]] = x[k];
}
