__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	if (threadIdx.x % 32 == 0) {
		int sum = 0;
		for (int k = 0; k < 32; k++)
			sum += v[i + k];
		sums[i / 32] = sum;
	}
}
