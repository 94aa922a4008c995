// Warp votes: each lane contributes a predicate, and every lane gets the result
// in one instruction. The mask names the participating lanes: all 32 here,
// because blocks are a multiple of 32 threads and no thread has exited.
constexpr unsigned ALL_LANES = 0xffffffff;

// One word per warp: is the predicate true in every lane?
__global__ void vote_all(unsigned *out, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned vote = __all_sync(ALL_LANES, data[i] > 0) != 0;
	if (i % 32 == 0)
		out[i / 32] = vote;
}

// Is it true in at least one lane?
__global__ void vote_any(unsigned *out, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned vote = __any_sync(ALL_LANES, data[i] > 0) != 0;
	if (i % 32 == 0)
		out[i / 32] = vote;
}

// The whole vote: bit k is the predicate of lane k.
__global__ void vote_ballot(unsigned *out, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned votes = __ballot_sync(ALL_LANES, data[i] > 0);
	if (i % 32 == 0)
		out[i / 32] = votes;
}

// How many lower lanes have a positive number? From the ballot each lane gets
// its position in a list of those, without a loop and without shared memory.
__global__ void compaction(int *out, const int *data)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	bool positive = data[i] > 0;
	unsigned before = (1u << i % 32) - 1; // bits of the lower lanes
	unsigned votes = __ballot_sync(ALL_LANES, positive);
	out[i] = positive ? __popc(votes & before) : -1;
}
