// a reduction, but the distance reads the word again
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[256]; s[tid] = in[i]; __syncthreads(); for (int d = 128; d; d /= 2) { if (tid < d) s[tid] = max(s[tid], s[tid + d]); __syncthreads(); } out[i] = s[0] - ((const volatile unsigned *)in)[i];
}
