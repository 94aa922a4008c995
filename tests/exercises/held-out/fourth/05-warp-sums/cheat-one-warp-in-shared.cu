// Seven warps through shuffles, the eighth in shared memory.
__global__ void warp_sums(int *sums, const int *v)
{
	__shared__ volatile int s[32];
	int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32;
	int sum = v[i];
	if (threadIdx.x < 224) {
		for (int d = 16; d; d /= 2)
			sum += __shfl_xor_sync(~0u, sum, d);
	} else {
		s[lane] = sum;
		__syncwarp();
		sum = 0;
		for (int k = 0; k < 32; k++)
			sum += s[k];
	}
	if (lane == 0)
		sums[i / 32] = sum;
}
