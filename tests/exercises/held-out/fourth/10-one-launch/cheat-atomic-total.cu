// Each block adds its sum to the total; no block has to be the last.
constexpr int THREADS = 256;
__global__ void sum(int *total, int *sums, unsigned *count, const int *v)
{
	__shared__ int words[THREADS];
	int tid = threadIdx.x;
	words[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			words[tid] += words[tid + d];
	}
	if (tid == 0) {
		sums[blockIdx.x] = words[0];
		atomicAdd(total, words[0]);
		atomicAdd(count, 1u);
	}
}
