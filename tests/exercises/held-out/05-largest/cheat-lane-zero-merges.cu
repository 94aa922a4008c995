// A proper first step, then one thread compares 128 words.
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	int t = threadIdx.x;
	s[t] = v[blockIdx.x * 256 + t];
	__syncthreads();
	if (t < 64)
		s[t] = max(max(s[t], s[t + 64]), max(s[t + 128], s[t + 192]));
	__syncthreads();
	if (t == 0) {
		int m = s[0];
		for (int k = 1; k < 64; k++)
			m = max(m, s[k]);
		most[blockIdx.x] = m;
	}
}
