// honest: the steps alternate between two halves of the array, so one __syncwarp per step suffices
constexpr int THREADS = 256;

__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[THREADS];
	int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * THREADS + tid];
	for (int d = THREADS / 2; d > 32; d /= 2) {
		__syncthreads();
		if (tid < d)
			s[tid] += s[tid + d];
	}
	__syncthreads();
	if (tid >= 32)
		return;
	int from = 0, to = 64;
	for (int d = 32; d > 0; d /= 2) {
		if (tid < d)
			s[to + tid] = s[from + tid] + s[from + tid + d];
		__syncwarp();
		from = to;
		to = from == 64 ? 128 : 64;
	}
	if (tid == 0)
		sums[blockIdx.x] = s[from];
}
