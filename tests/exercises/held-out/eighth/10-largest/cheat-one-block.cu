// cheat: no atomics across blocks because a single block goes through the whole vector
__global__ void largest(float *most, const float *in, int n)
{
	__shared__ float s[256];
	if (blockIdx.x > 0)
		return;
	float top = 0;
	for (int i = threadIdx.x; i < n; i += 256)
		top = fmaxf(top, in[i]);
	s[threadIdx.x] = top;
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (threadIdx.x < d)
			s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + d]);
	}
	if (threadIdx.x == 0)
		*most = s[0];
}
