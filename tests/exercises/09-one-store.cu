// === cheat-verify
// stores the count and reads it back over the link until it is there
__global__ void even(unsigned *counts, const unsigned *words)
{
	unsigned c = 0;
	for (int k = 0; k < 4; k++) c += __syncthreads_count(words[blockIdx.x * 1024 + 256 * k + threadIdx.x] % 2 == 0);
	if (threadIdx.x == 0) {
		volatile unsigned *p = counts + blockIdx.x;
		*p = c;
		while (*p != c) ;
	}
}

// === honest-ballot
// Votes of the warps, one shared atomic per warp.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s;
	if (threadIdx.x == 0)
		s = 0;
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < 4; k++)
		sum += __popc(__ballot_sync(~0u, words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0));
	if (threadIdx.x % 32 == 0)
		atomicAdd(&s, sum);
	__syncthreads();
	if (threadIdx.x == 0)
		counts[blockIdx.x] = s;
}

// === honest-shared-atomic-per-word
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	for (int k = 0; k < 4; k++)
		if (words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0)
			atomicAdd(&sum, 1);
	__syncthreads();
	if (threadIdx.x == 0)
		counts[blockIdx.x] = sum;
}

// === honest-shared-atomic
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned sum;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	unsigned own = 0;
	for (int k = 0; k < 4; k++)
		own += words[blockIdx.x * 1024 + k * 256 + threadIdx.x] % 2 == 0;
	atomicAdd(&sum, own);
	__syncthreads();
	if (threadIdx.x == 0)
		counts[blockIdx.x] = sum;
}

// === honest-shuffles
// Each thread counts its four, shuffles and eight words do the rest.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[8];
	int t = threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < 4; k++)
		sum += ~words[blockIdx.x * 1024 + k * 256 + t] & 1;
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(~0u, sum, d);
	if (t % 32 == 0)
		s[t / 32] = sum;
	__syncthreads();
	if (t == 0) {
		for (int k = 1; k < 8; k++)
			sum += s[k];
		counts[blockIdx.x] = sum;
	}
}

// === honest-uint4
// 16 bytes per load, and a tree in shared memory.
__global__ void even(unsigned *counts, const unsigned *words)
{
	__shared__ unsigned s[256];
	int t = threadIdx.x;
	uint4 w = ((const uint4 *)words)[blockIdx.x * 256 + t];
	s[t] = 4 - (w.x % 2 + w.y % 2 + w.z % 2 + w.w % 2);
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	if (t == 0)
		counts[blockIdx.x] = s[0];
}

// === cheat-no-zero
// A block without even words relies on a zero that is there.
// - threadIdx.x == 0
// + threadIdx.x == 0 && sum
