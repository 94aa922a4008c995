// Cycles of a load whose lanes read words of these lines of L1, each in a bank of its own. What is read is 0, so that
// each load needs the one before, and the compiler cannot leave it out.
extern "C" __global__ void tags(unsigned *cycles, unsigned *out, const unsigned *in, const unsigned *lines, int reps)
{
	int lane = threadIdx.x % 32;
	const size_t region = 128 << 20; // lines are numbered from its multiples on
	const unsigned *first = (const unsigned *)(((size_t)in + region - 1) / region * region);
	const unsigned *from = first + 32 * (size_t)lines[lane] + lane;
	unsigned at[4] = {};
	for (int i = 0; i < 64; i++)
		at[0] += from[at[0]];
	__syncthreads();
	long long begin = clock64();
	for (int i = 0; i < reps; i++)
		for (int k = 0; k < 4; k++)
			at[k] += from[at[k]];
	long long end = clock64();
	__syncthreads();
	if (threadIdx.x == 0)
		*cycles = end - begin;
	out[threadIdx.x] = at[0] + at[1] + at[2] + at[3];
}
