// Votes: every thread of a warp says yes or no, and all get to know the outcome
// in one instruction. The mask names the threads that take part: all 32 here,
// for blocks are a multiple of 32 threads and none has left.
constexpr unsigned EVERYONE = 0xffffffff;

// One word a warp: is it yes for all threads?
__global__ void vote_all(unsigned *out, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned vote = __all_sync(EVERYONE, data[i] > 0) != 0;
	if (i % 32 == 0)
		out[i / 32] = vote;
}

// Is it yes for at least one?
__global__ void vote_any(unsigned *out, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned vote = __any_sync(EVERYONE, data[i] > 0) != 0;
	if (i % 32 == 0)
		out[i / 32] = vote;
}

// Who said yes? Bit k is the answer of lane k.
__global__ void vote_ballot(unsigned *out, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(EVERYONE, data[i] > 0);
	if (i % 32 == 0)
		out[i / 32] = votes;
}

// How many said yes before me? From the ballot every thread learns its own
// place in a list of those who did, without a loop and without shared memory.
__global__ void place(int *out, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	bool yes = data[i] > 0;
	unsigned before = (1u << i % 32) - 1; // the bits of the lanes below mine
	unsigned votes = __ballot_sync(EVERYONE, yes);
	out[i] = yes ? __popc(votes & before) : -1;
}
