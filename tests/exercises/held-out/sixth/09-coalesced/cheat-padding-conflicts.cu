__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[2048];
	int tid = threadIdx.x, first = blockIdx.x * 2048;
	for (int k = 0; k < 8; k++)
		s[k * 256 + tid] = in[first + k * 256 + tid];
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < 8; k++)
		sum += s[tid * 8 + k];
	out[blockIdx.x * 256 + tid] = sum;
}
