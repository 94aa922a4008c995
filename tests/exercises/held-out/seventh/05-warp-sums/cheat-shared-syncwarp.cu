// keeps shared memory, only replaces the barrier
constexpr int THREADS = 256;
__global__ void warp_sums(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int t = threadIdx.x, i = blockIdx.x * THREADS + t;
	s[t] = v[i];
	__syncwarp();
	for (int d = 16; d > 0; d /= 2) {
		int x = t % 32 < d ? s[t + d] : 0;
		__syncwarp();
		s[t] += x;
		__syncwarp();
	}
	if (t % 32 == 0) sums[i / 32] = s[t];
}
