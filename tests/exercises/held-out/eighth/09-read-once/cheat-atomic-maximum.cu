// cheat: an atomicMax per thread on one shared word instead of a reduction
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned most;
	int i = blockIdx.x * 256 + threadIdx.x;
	unsigned word = in[i];
	if (threadIdx.x == 0)
		most = 0;
	__syncthreads();
	atomicMax(&most, word);
	__syncthreads();
	out[i] = most - word;
}
