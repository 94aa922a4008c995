// copies the words to out[] and reads those 256 times
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
unsigned v = in[i]; out[i] = v; __syncthreads(); unsigned m = 0; for (int k = 0; k < 256; k++) m = max(m, ((volatile unsigned *)out)[i - tid + k]); __syncthreads(); out[i] = m - v;
}
