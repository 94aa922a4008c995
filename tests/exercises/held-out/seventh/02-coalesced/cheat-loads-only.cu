// loads coalesced, stores still by columns, through shared memory
__global__ void damp(float *out, const float *in, int n)
{
	__shared__ float s[32][33];
	int r0 = blockIdx.x * 32, c0 = blockIdx.y * 8, t = threadIdx.y * 32 + threadIdx.x;
	s[t / 8][t % 8] = 0.5f * in[(r0 + t / 8) * n + c0 + t % 8];
	__syncthreads();
	out[(r0 + threadIdx.x) * n + c0 + threadIdx.y] = s[threadIdx.x][threadIdx.y];
}
