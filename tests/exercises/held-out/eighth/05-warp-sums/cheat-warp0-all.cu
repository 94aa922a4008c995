// cheat: shuffles, but by the first warp alone, for the elements of all eight warps in turn
__global__ void warp_sums(int *sums, const int *v)
{
	if (threadIdx.x > 31)
		return;
	for (int w = 0; w < 8; w++) {
		int sum = v[blockIdx.x * 256 + w * 32 + threadIdx.x];
		for (int d = 16; d > 0; d /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, d);
		if (threadIdx.x == 0)
			sums[blockIdx.x * 8 + w] = sum;
	}
}
