// one block by a tree, no other block does anything
__global__ void largest(float *most, const float *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ float s[1024]; if (blockIdx.x) return; float m = 0; for (int k = tid; k < n; k += blockDim.x) m = fmaxf(m, in[k]); s[tid] = m; __syncthreads(); for (int d = 512; d; d /= 2) { if (tid < d && tid + d < blockDim.x) s[tid] = fmaxf(s[tid], s[tid + d]); __syncthreads(); } if (tid == 0) *most = s[0];
}
