// the thread keeps its maximum in a register and stores it if it grew
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned t = threadIdx.x;
	int m = v[blockIdx.x * 256 + t];
	s[t] = m;
	__syncthreads();
	for (unsigned d = 128; d; d >>= 1) {
		if (t < d) {
			int o = s[t + d];
			if (o > m) { m = o; s[t] = m; }
		}
		__syncthreads();
	}
	if (t == 0) most[blockIdx.x] = m;
}
