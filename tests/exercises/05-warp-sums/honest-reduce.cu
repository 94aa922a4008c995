// The warp's own reduction instruction.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int sum = __reduce_add_sync(0xffffffff, v[i]);
	if (threadIdx.x % 32 == 0)
		sums[i / 32] = sum;
}
