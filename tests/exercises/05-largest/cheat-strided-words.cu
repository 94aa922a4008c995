// No modulo and whole warps, but with a stride: bank conflicts.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	for (unsigned d = 1; d < 256; d *= 2) {
		unsigned i = 2 * d * tid;
		if (i < 256)
			s[i] = max(s[i], s[i + d]);
		__syncthreads();
	}
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
