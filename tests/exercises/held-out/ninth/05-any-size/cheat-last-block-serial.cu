// cheat: full blocks use the tree, in a partial block one thread adds what there is
constexpr int THREADS = 256;

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;
	int i = blockIdx.x * THREADS + tid;

	if ((blockIdx.x + 1) * THREADS > n) {
		if (tid == 0) {
			int sum = 0;
			for (int k = i; k < n; k++)
				sum += v[k];
			sums[blockIdx.x] = sum;
		}
		return;
	}
	s[tid] = v[i];
	__syncthreads();
	for (int d = THREADS / 2; d > 0; d /= 2) {
		if (tid < d)
			s[tid] += s[tid + d];
		__syncthreads();
	}
	if (tid == 0)
		sums[blockIdx.x] = s[0];
}
