// Each thread keeps its maximum in a register; the words above are only read.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[128];
	unsigned tid = threadIdx.x;
	int own = v[blockIdx.x * blockDim.x + tid];
	for (unsigned d = 128; d >= 1; d >>= 1) {
		if (tid >= d && tid < 2 * d)
			s[tid - d] = own;
		__syncthreads();
		if (tid < d)
			own = max(own, s[tid]);
		__syncthreads();
	}
	if (tid == 0)
		most[blockIdx.x] = own;
}
