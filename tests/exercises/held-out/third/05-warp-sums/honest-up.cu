// The sum moves upward to the last lane.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = v[i];
#pragma unroll
	for (int d = 1; d < 32; d <<= 1)
		sum += __shfl_up_sync(0xffffffff, sum, d);
	// the wrong addends are those of lanes below d, which lane 31 never uses
	if (i % 32 == 31)
		sums[i / 32] = sum;
}
