// The word is cleared first, and written if there is an element.
__global__ void any_size(int *sums, const int *v, int n)
{
	__shared__ int s[256];
	unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	s[t] = 0;
	if (i < n)
		s[t] = v[i];
	for (unsigned d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] += s[t + d];
	}
	if (t == 0)
		sums[blockIdx.x] = s[0];
}
