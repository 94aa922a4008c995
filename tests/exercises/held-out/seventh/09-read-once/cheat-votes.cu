// the maximum bit by bit with 32 block votes
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
unsigned v = in[i], m = 0; bool c = true; for (int b = 31; b >= 0; b--) { bool one = c && (v >> b & 1); if (__syncthreads_or(one)) { m |= 1u << b; c = one; } } out[i] = m - v;
}
