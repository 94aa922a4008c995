// cheat: the maximum is reduced properly, but then each thread reads its word over the link a second time
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	int tid = threadIdx.x, i = blockIdx.x * 256 + tid;
	const volatile unsigned *from = in;
	s[tid] = from[i];
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] = max(s[tid], s[tid + d]);
	}
	__syncthreads();
	out[i] = s[0] - from[i];
}
