__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[256];
	const int t = threadIdx.x;
	const long long i = (long long)blockIdx.x * blockDim.x + t;
	s[t] = 0;
	if (i < n)
		s[t] = v[i];
	for (int d = 128; d; d >>= 1) {
		__syncthreads();
		if (t < d)
			s[t] = s[t] + s[t + d];
	}
	if (!t)
		sums[blockIdx.x] = *s;
}
