__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	for (unsigned d = 1; d < 256; d *= 2) {
		if (!(tid & 2 * d - 1))
			s[tid] = max(s[tid], s[tid + d]);
		__syncthreads();
	}
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
