// An element goes where the number of kept elements before it says: those of
// lower lanes, by a vote, and those of the warps before.
__global__ void compact(int *out, const int *in, int limit, int n)
{
	__shared__ int counts[8];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int *to = out + 257 * blockIdx.x;
	int x = i < n ? in[i] : 0;
	bool keep = i < n && x > limit;
	unsigned kept = __ballot_sync(0xffffffff, keep);
	if (lane == 0)
		counts[warp] = __popc(kept);
	__syncthreads();
	int before = __popc(kept & ((1u << lane) - 1)), all = 0;
	for (int w = 0; w < 8; w++) {
		if (w < warp)
			before += counts[w];
		all += counts[w];
	}
	if (keep)
		to[1 + before] = x;
	if (threadIdx.x == 0)
		to[0] = all;
}
