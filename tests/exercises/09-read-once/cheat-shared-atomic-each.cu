__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned most;
	int i = blockIdx.x * 256 + threadIdx.x;
	if (threadIdx.x == 0)
		most = 0;
	__syncthreads();
	unsigned own = in[i];
	atomicMax(&most, own);
	__syncthreads();
	out[i] = most - own;
}
