// the word is stored for the neighbor, zeros in the free place
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ int s[257]; int *at = s + tid; *at = i < n ? __ldg(in + i) : 0; if (tid == 0) s[256] = 0; __syncthreads(); if (i < n) out[i] = (i + 1 < n) * at[1];
}
