// whole warps, but four words per lane with a stride of 64, then one warp
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	if (tid < 32) {
		int m = s[8 * tid];
		for (int k = 1; k < 8; k++) m = max(m, s[8 * tid + k]);
		s[tid] = m;
		__syncwarp();
		if (tid == 0) { for (int k = 1; k < 32; k++) m = max(m, s[k]); most[blockIdx.x] = m; }
	}
}
