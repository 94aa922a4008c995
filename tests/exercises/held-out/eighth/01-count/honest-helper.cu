// honest: a helper returns the count to all lanes, and the warp's number indexes the result
__device__ __forceinline__ int count_true(bool answer)
{
	return __popc(__ballot_sync(~0u, answer));
}

__global__ void count(int *counts, const int *data)
{
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const int *mine = data + blockIdx.x * 256 + warp * 32;
	int positive = count_true(mine[lane] >= 1);
	if (lane == 0)
		counts[blockIdx.x * 8 + warp] = positive;
}
