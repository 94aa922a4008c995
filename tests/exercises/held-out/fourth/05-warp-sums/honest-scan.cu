// An inclusive scan with shuffles from below; the last lane stores.
__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, sum = v[i];
#pragma unroll
	for (int d = 1; d < 32; d <<= 1) {
		int below = __shfl_up_sync(0xffffffff, sum, d);
		sum += lane >= d ? below : 0;
	}
	if (lane == 31)
		sums[i >> 5] = sum;
}
