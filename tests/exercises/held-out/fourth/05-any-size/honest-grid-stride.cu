// A grid-stride loop, right for any grid, and a tree.
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[256];
	const int tid = threadIdx.x;
	int sum = 0;
	for (int i = blockIdx.x * 256 + tid; i < n; i += gridDim.x * 256)
		sum += v[i];
	s[tid] = sum;
#pragma unroll
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] = sum += s[tid + d];
	}
	if (tid == 0)
		sums[blockIdx.x] = sum;
}
