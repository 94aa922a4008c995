// halving down to 32 words, then one thread loops
constexpr unsigned THREADS = 256;
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	unsigned tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	__syncthreads();
	for (unsigned d = 128; d >= 32; d /= 2) { if (tid < d) s[tid] = max(s[tid], s[tid + d]); __syncthreads(); }
	if (tid == 0) { int m = s[0]; for (int k = 1; k < 32; k++) m = max(m, s[k]); most[blockIdx.x] = m; }
}
