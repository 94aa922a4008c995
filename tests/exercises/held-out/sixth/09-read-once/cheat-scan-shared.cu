__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	int i = blockIdx.x * 256 + threadIdx.x;
	unsigned own = s[threadIdx.x] = in[i], most = 0;
	__syncthreads();
	for (int k = 0; k < 256; k++)
		most = max(most, s[k]);
	out[i] = most - own;
}
