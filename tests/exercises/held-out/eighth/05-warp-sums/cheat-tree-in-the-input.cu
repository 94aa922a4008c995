// cheat: the same tree, with the input vector in global memory as the scratch space
__global__ void warp_sums(int *sums, const int *v)
{
	int lane = threadIdx.x % 32, i = blockIdx.x * 256 + threadIdx.x;
	volatile int *s = (volatile int *)v;
	for (int d = 16; d > 0; d /= 2) {
		if (lane < d)
			s[i] += s[i + d];
		__syncwarp();
	}
	if (lane == 0)
		sums[i / 32] = s[i];
}
