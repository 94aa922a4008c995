// one warp loads and reduces for the block
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[256]; if (tid < 32) { unsigned m = 0, v[8]; for (int k = 0; k < 8; k++) m = max(m, v[k] = in[i + 32 * k]); for (int d = 16; d; d /= 2) m = max(m, __shfl_xor_sync(~0u, m, d)); for (int k = 0; k < 8; k++) s[tid + 32 * k] = m - v[k]; } __syncthreads(); out[i] = s[tid];
}
