// The maximum is found in shared memory, but the own word is read over the link a second time.
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	s[tid] = in[i];
	__syncthreads();
	unsigned most = 0;
	for (int k = 0; k < 256; k++)
		most = max(most, s[k]);
	out[i] = most - ((const volatile unsigned *)in)[i];
}
