__global__ void largest(int *most, const int *v)
{
	__shared__ int s[128];
	int t = threadIdx.x;
	const int *p = v + blockIdx.x * 256;
	if (t < 128)
		s[t] = max(p[t], p[t + 128]);
	for (int d = 64; d > 0; d >>= 1) {
		__syncthreads();
		if (t < d)
			s[t] = max(s[t], s[t + d]);
	}
	if (t == 0)
		most[blockIdx.x] = s[0];
}
