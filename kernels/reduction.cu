// Summing a vector of ints, in the seven steps of the lecture. A block sums its
// part in shared memory and stores the sum in out[blockIdx.x]; the kernel is
// launched again on the sums until one is left.
//
// Blocks have 64, 128, 256, or 512 threads, and the vector fills them:
// blockDim.x elements per block in steps 1 to 3, twice as many in steps 4 to 6
// (no test for a tail: it is padded with zeros). Step 7 accepts any even
// multiple of the block. The slides store the sums in the vector itself; a
// block might then read another block's sum instead of an element, so here they
// go to an array of their own. sv has blockDim.x ints of dynamic shared memory.
extern __shared__ int sv[];

// Before step 1: the scheme on its own. A thread adds two neighboring words,
// one launch per level of the tree, without shared memory; m may be any number.
__global__ void pairwise(int *out, const int *v, unsigned m)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (2 * i + 1 < m)
		out[i] = v[2 * i] + v[2 * i + 1];
	else if (2 * i < m)
		out[i] = v[2 * i];
}

// Step 1. Every second thread adds its neighbor's word, then every fourth, ...:
// the active threads are spread over all warps, and selecting them takes a
// modulo.
__global__ void reduce_modulo(int *out, const int *v)
{
	unsigned tid = threadIdx.x;
	sv[tid] = v[blockIdx.x * blockDim.x + tid];
	__syncthreads();
	for (unsigned s = 1; s < blockDim.x; s *= 2) {
		if (tid % (2 * s) == 0)
			sv[tid] += sv[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		out[blockIdx.x] = sv[0];
}

// Step 2. The first threads are active, so whole warps finish early. The words
// they add have a stride of 2 s, and are in fewer and fewer banks.
__global__ void reduce_strided(int *out, const int *v)
{
	unsigned tid = threadIdx.x;
	sv[tid] = v[blockIdx.x * blockDim.x + tid];
	__syncthreads();
	for (unsigned s = 1; s < blockDim.x; s *= 2) {
		unsigned index = 2 * s * tid;
		if (index < blockDim.x)
			sv[index] += sv[index + s];
		__syncthreads();
	}
	if (tid == 0)
		out[blockIdx.x] = sv[0];
}

// Step 3. The upper half is added to the lower half: consecutive threads,
// words, and banks.
__global__ void reduce_sequential(int *out, const int *v)
{
	unsigned tid = threadIdx.x;
	sv[tid] = v[blockIdx.x * blockDim.x + tid];
	__syncthreads();
	for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
		if (tid < s)
			sv[tid] += sv[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		out[blockIdx.x] = sv[0];
}

// Step 4. The first addition happens while loading: every thread adds.
__global__ void reduce_add_on_load(int *out, const int *v)
{
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * (blockDim.x * 2) + tid;
	sv[tid] = v[i] + v[i + blockDim.x];
	__syncthreads();
	for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
		if (tid < s)
			sv[tid] += sv[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		out[blockIdx.x] = sv[0];
}

// The last 64 sums, by one warp, as the lecture does it: without a barrier,
// because the threads of a warp execute in lockstep. Correct only below cc 7.0.
// volatile keeps the words in shared memory, where the other threads read them.
__device__ void last_warp_in_lockstep(volatile int *s, unsigned tid)
{
	int sum = s[tid];
	s[tid] = sum = sum + s[tid + 32];
	s[tid] = sum = sum + s[tid + 16];
	s[tid] = sum = sum + s[tid + 8];
	s[tid] = sum = sum + s[tid + 4];
	s[tid] = sum = sum + s[tid + 2];
	s[tid] = sum = sum + s[tid + 1];
}

// The same, correct on every GPU: all threads have read before any thread
// writes.
__device__ void last_warp_synced(int *s, unsigned tid)
{
	int sum = s[tid];
	for (int d = 32; d > 0; d /= 2) {
		sum += s[tid + d];
		__syncwarp();
		s[tid] = sum;
		__syncwarp();
	}
}

// The same without shared memory, from compute capability 3.0 on.
__device__ void last_warp_shuffled(int *s, unsigned tid)
{
	int sum = s[tid] + s[tid + 32];
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	s[tid] = sum;
}

enum LastWarp { LOCKSTEP, SYNCED, SHUFFLED };

template <LastWarp HOW> __device__ void last_warp(unsigned tid)
{
	if (HOW == LOCKSTEP)
		last_warp_in_lockstep(sv, tid);
	if (HOW == SYNCED)
		last_warp_synced(sv, tid);
	if (HOW == SHUFFLED)
		last_warp_shuffled(sv, tid);
}

// Step 5. The last warp needs no barriers for the block and no test for active
// threads; its six iterations are separate. The upper lanes add words that are
// not needed, up to sv[tid + 32], which exists: sv has at least 64 words.
template <LastWarp HOW> __global__ void reduce_last_warp(int *out, const int *v)
{
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * (blockDim.x * 2) + tid;
	sv[tid] = v[i] + v[i + blockDim.x];
	__syncthreads();
	for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
		if (tid < s)
			sv[tid] += sv[tid + s];
		__syncthreads();
	}
	if (tid < 32)
		last_warp<HOW>(tid);
	if (tid == 0)
		out[blockIdx.x] = sv[0];
}

// The iterations before the last warp, for a block size known at compile time:
// the conditions on BLOCK are evaluated by the compiler.
template <int BLOCK> __device__ void iterations(unsigned tid)
{
	if (BLOCK >= 512) {
		if (tid < 256)
			sv[tid] += sv[tid + 256];
		__syncthreads();
	}
	if (BLOCK >= 256) {
		if (tid < 128)
			sv[tid] += sv[tid + 128];
		__syncthreads();
	}
	if (BLOCK >= 128) {
		if (tid < 64)
			sv[tid] += sv[tid + 64];
		__syncthreads();
	}
}

// Step 6. No loop is left.
template <int BLOCK, LastWarp HOW>
__global__ void reduce_unrolled(int *out, const int *v)
{
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * (BLOCK * 2) + tid;
	sv[tid] = v[i] + v[i + BLOCK];
	__syncthreads();
	iterations<BLOCK>(tid);
	if (tid < 32)
		last_warp<HOW>(tid);
	if (tid == 0)
		out[blockIdx.x] = sv[0];
}

// Step 7. A fixed number of blocks covers the vector, and a thread sums many
// elements before it cooperates with the others.
template <int BLOCK, LastWarp HOW>
__global__ void reduce_grid_stride(int *out, const int *v, unsigned n)
{
	unsigned tid = threadIdx.x;
	unsigned grid = BLOCK * 2 * gridDim.x;
	sv[tid] = 0;
	for (unsigned i = blockIdx.x * (BLOCK * 2) + tid; i < n; i += grid)
		sv[tid] += v[i] + v[i + BLOCK];
	__syncthreads();
	iterations<BLOCK>(tid);
	if (tid < 32)
		last_warp<HOW>(tid);
	if (tid == 0)
		out[blockIdx.x] = sv[0];
}
