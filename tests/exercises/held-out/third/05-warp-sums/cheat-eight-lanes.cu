// Eight lanes load 16 bytes each, and the others watch.
__global__ void warp_sums(int *sums, const int *v)
{
	int lane = threadIdx.x % 32, i = blockIdx.x * 256 + threadIdx.x, sum = 0;
	if (lane < 8) {
		int4 f = ((const int4 *)v)[i / 32 * 8 + lane];
		sum = f.x + f.y + f.z + f.w;
		for (int d = 4; d > 0; d /= 2)
			sum += __shfl_down_sync(0xff, sum, d);
		if (lane == 0)
			sums[i / 32] = sum;
	}
}
