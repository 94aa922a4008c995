// each word once into shared memory, but one thread finds the maximum
__global__ void distance(unsigned *out, const unsigned *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned s[256], m; s[tid] = in[i]; __syncthreads(); if (tid == 0) { unsigned x = 0; for (int k = 0; k < 256; k++) x = max(x, s[k]); m = x; } __syncthreads(); out[i] = m - s[tid];
}
