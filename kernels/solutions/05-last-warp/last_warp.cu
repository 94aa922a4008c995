// The last warp continues with shuffles: its threads keep their sums in
// registers, and no thread reads what another one writes.
//
// Blocks of 256 threads, one element per thread; one sum per block.
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
	if (tid < 32) {
		int sum = s[tid] + s[tid + 32];
		for (int d = 16; d > 0; d /= 2)
			sum += __shfl_down_sync(0xffffffff, sum, d);
		if (tid == 0)
			sums[blockIdx.x] = sum;
	}
}
