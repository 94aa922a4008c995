__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256], total;
	int tid = threadIdx.x;
	if (tid == 0)
		total = 0;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	atomicAdd(&total, s[tid]);
	__syncthreads();
	if (tid == 0)
		sums[blockIdx.x] = total;
}
