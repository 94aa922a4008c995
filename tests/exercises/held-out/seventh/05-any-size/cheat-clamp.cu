// threads past the end load the last element again and multiply by zero
constexpr int THREADS = 256;
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x, first = blockIdx.x * THREADS, sum = 0;
	for (int k = 0; k < THREADS; k++) if (first + k < n && k % THREADS == tid) sum += v[first + k];
	s[tid] = sum;
	__syncthreads();
	for (int d = 1; d < THREADS; d *= 2) { if (tid % (2 * d) == 0) s[tid] += s[tid + d]; __syncthreads(); }
	if (tid == 0) sums[blockIdx.x] = s[0];
}
