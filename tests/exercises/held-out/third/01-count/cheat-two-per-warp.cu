// Every second warp votes for its neighbor, too.
__global__ void count(int *counts, const int *data)
{
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	if (warp % 2)
		return;
	for (unsigned w = warp; w < warp + 2; w++) {
		unsigned i = blockIdx.x * blockDim.x + w * 32 + lane;
		unsigned votes = __ballot_sync(0xffffffff, data[i] > 0);
		if (lane == 0)
			counts[i / 32] = __popc(votes);
	}
}
