// Block 63 waits until all others have counted.
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int s[256];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	if (tid == 0) {
		sums[blockIdx.x] = s[0];
		__threadfence();
		atomicAdd(count, 1);
		if (blockIdx.x == gridDim.x - 1) {
			while (*(volatile unsigned *)count < gridDim.x)
				;
			int all = 0;
			for (int b = 0; b < gridDim.x; b++)
				all += ((volatile int *)sums)[b];
			*total = all;
		}
	}
}
