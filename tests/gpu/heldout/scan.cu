// Running sums within each block of 256, by doubling distances in shared memory.
__global__ void scan(int *out, const int *in) {
	__shared__ int s[2][256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t, now = 0;
	s[0][t] = in[i];
	for (int d = 1; d < 256; d *= 2) {
		__syncthreads();
		s[1 - now][t] = t >= d ? s[now][t] + s[now][t - d] : s[now][t];
		now = 1 - now;
	}
	__syncthreads();
	out[i] = s[now][t];
}
