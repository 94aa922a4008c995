// A quarter of the threads load four elements each: eight lanes per sum.
__global__ void warp_sums(int *sums, const int *v)
{
	if (threadIdx.x >= 64)
		return;
	int i = blockIdx.x * 64 + threadIdx.x;
	int4 four = ((const int4 *)v)[i];
	int sum = four.x + four.y + four.z + four.w;
	for (int d = 4; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d, 8);
	if (i % 8 == 0)
		sums[i / 8] = sum;
}
