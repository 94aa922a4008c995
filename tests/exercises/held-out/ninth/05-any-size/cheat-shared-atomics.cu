// cheat: the tree is gone: each thread with an element adds it to one shared word
constexpr int THREADS = 256;

__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int sum;
	int i = blockIdx.x * THREADS + threadIdx.x;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	if (i < n)
		atomicAdd(&sum, v[i]);
	__syncthreads();
	if (threadIdx.x == 0)
		sums[blockIdx.x] = sum;
}
