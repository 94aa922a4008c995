// === cheat-two-atomics
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int c = __syncthreads_count(i < n && in[i] > limit);
	if (threadIdx.x < 2)
		atomicAdd(found, threadIdx.x ? c / 2 : c - c / 2);
}

// === honest-ballot
// Votes of warps, a shared counter, one addition per block.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned sums[8];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(~0u, i < n && in[i] > limit);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = __popc(votes);
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned sum = 0;
		for (int k = 0; k < 8; k++)
			sum += sums[k];
		atomicAdd(found, sum);
	}
}

// === honest-shared-atomics
// One shared atomic per warp, then one global per block.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned count = __popc(__ballot_sync(0xffffffff, i < n && in[i] > limit));
	if ((threadIdx.x & 31) == 0)
		atomicAdd(&sum, count);
	__syncthreads();
	if (threadIdx.x == 0)
		atomicAdd(found, sum);
}

// === honest-some
// The barrier counts; a block without any adds nothing.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	bool is_above = false;
	if (i < n)
		is_above = in[i] > limit;
	int count = __syncthreads_count(is_above);
	if (threadIdx.x == 0 && count > 0)
		atomicAdd(found, (unsigned)count);
}

// === cheat-every-other-block
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	if (blockIdx.x % 2)
		return;
	int i = blockIdx.x * blockDim.x + threadIdx.x, j = i + blockDim.x;
	int count = __syncthreads_count(i < n && in[i] > limit);
	count += __syncthreads_count(j < n && in[j] > limit);
	if (threadIdx.x == 0)
		atomicAdd(found, count);
}

// === honest-tree
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ int words[1024];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	words[t] = i < n && in[i] > limit;
	for (int d = blockDim.x / 2; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			words[t] += words[t + d];
	}
	if (t == 0)
		atomicAdd(found, words[0]);
}
