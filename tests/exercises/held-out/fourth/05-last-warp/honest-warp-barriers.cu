// __syncwarp() between reading and writing, in a loop.
__global__ void last_warp(int *sums, const int *v)
{
	__shared__ int s[256];
	const int tid = threadIdx.x;
	s[tid] = v[blockIdx.x * 256 + tid];
	__syncthreads();
	if (tid < 128)
		s[tid] += s[tid + 128];
	__syncthreads();
	if (tid < 64)
		s[tid] += s[tid + 64];
	__syncthreads();
	if (tid < 32) {
		int sum = s[tid];
#pragma unroll
		for (int d = 32; d > 0; d /= 2) {
			sum += s[tid + d];
			__syncwarp();
			s[tid] = sum;
			__syncwarp();
		}
		if (tid == 0)
			sums[blockIdx.x] = sum;
	}
}
