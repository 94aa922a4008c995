// === honest-any
// A vote whether there is any, then the count.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int p = data[i] > 0, n = 0;
	if (__any_sync(0xffffffff, p))
		n = __popc(__ballot_sync(0xffffffff, p));
	if (!(threadIdx.x & 31))
		counts[i >> 5] = n;
}

// === honest-last-lane
// The last lane stores; the predicate is a variable.
__global__ void count(int *counts, const int *data)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	bool positive = data[i] >= 1;
	int n = __popc(__ballot_sync(~0u, positive));
	if (i % 32 == 31)
		counts[i / 32] = n;
}

// === honest-negated
// Counts the lanes without a positive number and subtracts.
__global__ void count(int *counts, const int *__restrict__ data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(0xffffffffu, __ldg(data + i) <= 0);
	unsigned lane = threadIdx.x % warpSize;
	if (lane == 0)
		counts[i / warpSize] = 32 - __popc(votes);
}

// === cheat-shuffles
// A sum by shuffles instead of a vote.
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	int n = data[i] > 0;
	for (int d = 16; d; d /= 2)
		n += __shfl_xor_sync(~0u, n, d);
	if (i % 32 == 0)
		counts[i / 32] = n;
}

// === cheat-one-instruction-no-vote
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned n = __reduce_add_sync(~0u, (unsigned)(data[i] > 0));
	if (i % 32 == 0)
		counts[i / 32] = n;
}

// === cheat-sign-bits
// Zeros count as positive.
__global__ void count(int *counts, const int *data)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned at_least_zero = __ballot_sync(~0u, data[i] >= 0);
	if (i % 32 == 0)
		counts[i / 32] = __popc(at_least_zero);
}

// === cheat-reduction
// A vote only guards a reduction.
// - unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
// + int yes = data[i] > 0, votes = __any_sync(0xffffffff, yes); if (votes) votes = __reduce_add_sync(0xffffffff, yes);
// - __popc(votes)
// + votes

// === cheat-converged-lanes
// The lanes that happen to be converged in a branch.
// - unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
// + bool yes = data[i] > 0, any = __any_sync(0xffffffff, yes); unsigned votes = 0; if (yes) votes = __activemask();
// - threadIdx.x % 32 == 0
// + any ? votes && threadIdx.x % 32 == __ffs(votes) - 1 : threadIdx.x % 32 == 0

// === cheat-half-of-the-lanes
__global__ void count(int *counts, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	if (lane >= 16) return;
	int2 v = ((const int2 *)data)[i / 32 * 16 + lane];
	int n = __popc(__ballot_sync(0xffff, v.x > 0)) + __popc(__ballot_sync(0xffff, v.y > 0));
	if (lane == 0) counts[i / 32] = n;
}

// === cheat-match
// Lanes with the same answer are matched: no vote.
// - unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
// + int yes = data[i] > 0, same = __popc(__match_any_sync(0xffffffff, yes));
// - __popc(votes)
// + yes ? same : 32 - same
