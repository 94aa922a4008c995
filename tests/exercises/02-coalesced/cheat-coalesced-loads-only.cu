// Loads coalesced, passes through shared memory, and stores columns.
__global__ void damp(float *out, const float *in, int n)
{
	__shared__ float s[8][33];
	int x = blockIdx.x * 32, y = blockIdx.y * 8;
	s[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * n + x + threadIdx.x];
	__syncthreads();
	int t = threadIdx.y * 32 + threadIdx.x;
	out[(y + t % 8) * n + x + t / 8] = 0.5f * s[t % 8][t / 8];
}
