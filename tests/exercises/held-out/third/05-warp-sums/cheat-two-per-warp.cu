// Half of the warps sum 64 elements as two sums.
__global__ void warp_sums(int *sums, const int *v)
{
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	if (warp >= 4)
		return;
	for (int w = warp; w < 8; w += 4) {
		int i = blockIdx.x * 256 + w * 32 + lane, sum = v[i];
		for (int d = 16; d > 0; d /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, d);
		if (lane == 0)
			sums[i / 32] = sum;
	}
}
