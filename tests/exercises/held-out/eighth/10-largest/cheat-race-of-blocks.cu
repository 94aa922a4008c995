// cheat: a proper maximum within the block, but the blocks still read, compare and write the result in three steps
__global__ void largest(float *most, const float *in, int n)
{
	__shared__ float s[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	s[tid] = i < n ? in[i] : 0.0f;
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] = fmaxf(s[tid], s[tid + d]);
	}
	if (tid == 0) {
		volatile float *top = most;
		if (s[0] > *top)
			*top = s[0];
		__threadfence();
		if (s[0] > *top)
			*top = s[0];
	}
}
