// a tree; own word in a register
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[256]; unsigned v = s[tid] = __ldg(in + i); for (unsigned d = 128; d > 0; d >>= 1) { __syncthreads(); if (tid < d && s[tid + d] > s[tid]) s[tid] = s[tid + d]; } __syncthreads(); out[i] = *s - v;
}
