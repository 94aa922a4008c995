// Every block adds all sums that are there; the last one is right.
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	if (t == 0) {
		atomicAdd(count, 1u);
		atomicExch(&sums[blockIdx.x], s[0]);
		__threadfence();
		int all = 0;
		for (int b = 0; b < 64; b++)
			all += atomicAdd(&sums[b], 0);
		atomicExch(total, all);
	}
}
