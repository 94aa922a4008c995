// The first warp compares eight words per lane, then shuffles.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	if (tid < 32) {
		int m = s[tid];
#pragma unroll
		for (int k = 32; k < 256; k += 32)
			m = max(m, s[tid + k]);
		for (int d = 16; d > 0; d /= 2)
			m = max(m, __shfl_xor_sync(0xffffffff, m, d));
		if (tid == 0)
			most[blockIdx.x] = m;
	}
}
