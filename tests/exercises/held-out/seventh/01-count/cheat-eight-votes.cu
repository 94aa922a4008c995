// one warp votes for all eight
__global__ void count(int *counts, const int *data)
{
	if (threadIdx.x >= 32) return;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		unsigned c = __popc(__ballot_sync(~0u, data[blockIdx.x * 256 + 32 * k + threadIdx.x] > 0));
		if (threadIdx.x == 0) counts[blockIdx.x * 8 + k] = c;
	}
}
