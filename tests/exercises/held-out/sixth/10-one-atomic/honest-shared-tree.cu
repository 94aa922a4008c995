__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	__shared__ unsigned s[256];
	unsigned t = threadIdx.x, i = blockIdx.x * 256 + t;
	s[t] = i < n ? in[i] > limit : 0;
	for (unsigned d = 128; d; d >>= 1) {
		__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	if (t == 0)
		atomicAdd(found, s[0]);
}
