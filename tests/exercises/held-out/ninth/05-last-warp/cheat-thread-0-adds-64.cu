// cheat: no race, but the last warp has become one thread that adds 64 words in a row
constexpr int THREADS = 256;

__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;

	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid == 0) {
		int sum = 0;
		for (int k = 0; k < 64; k++)
			sum += s[k];
		sums[blockIdx.x] = sum;
	}
}
