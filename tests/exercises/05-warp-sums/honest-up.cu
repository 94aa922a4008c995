// Shuffles upwards, a prefix sum: lane 31 has the total.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, sum = v[i];
	for (int d = 1; d < 32; d *= 2) {
		int from = __shfl_up_sync(0xffffffff, sum, d);
		if (lane >= d)
			sum += from;
	}
	if (lane == 31)
		sums[i / 32] = sum;
}
