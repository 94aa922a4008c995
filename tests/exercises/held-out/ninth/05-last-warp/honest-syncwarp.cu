// honest: stays in shared memory: read, syncwarp, write, syncwarp
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
		int sum = s[tid];
#pragma unroll
		for (int d = 32; d > 0; d >>= 1) {
			sum += s[tid + d];
			__syncwarp();
			s[tid] = sum;
			__syncwarp();
		}
		if (tid == 0)
			sums[blockIdx.x] = sum;
	}
}
