// One block looks at all elements and needs no atomic.
__global__ void largest(float *most, const float *in, int n)
{
	__shared__ float s[1024];
	if (blockIdx.x)
		return;
	float m = 0;
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		m = fmaxf(m, in[i]);
	s[threadIdx.x] = m;
	for (int d = blockDim.x / 2; d; d /= 2) {
		__syncthreads();
		if (threadIdx.x < d)
			s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + d]);
	}
	if (threadIdx.x == 0)
		*most = s[0];
}
