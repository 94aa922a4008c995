// every thread looks at all 256 words in shared memory: no reduction
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[256]; s[tid] = in[i]; __syncthreads(); unsigned m = 0; for (int k = 0; k < 256; k++) m = max(m, s[k]); out[i] = m - s[tid];
}
