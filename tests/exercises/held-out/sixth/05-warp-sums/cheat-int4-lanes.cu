__global__ void warp_sums(int *sums, const int *v)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	const int4 *p = (const int4 *)(v + i / 32 * 32);
	int sum = 0;
	if (threadIdx.x % 32 == 0) {
		for (int k = 0; k < 8; k++) {
			int4 w = p[k];
			sum += w.x + w.y + w.z + w.w;
		}
		sums[i / 32] = sum;
	}
}
