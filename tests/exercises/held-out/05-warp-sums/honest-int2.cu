__global__ void warp_sums(int *sums, const int *v)
{
	const int tid = threadIdx.x, lane = tid & 31;
	int sum = v[blockDim.x * blockIdx.x + tid];
#pragma unroll
	for (int mask = 1; mask <= 16; mask <<= 1)
		sum += __shfl_xor_sync(0xffffffff, sum, mask, 32);
	if (lane == 31)
		sums[(blockDim.x * blockIdx.x + tid) >> 5] = sum;
}
