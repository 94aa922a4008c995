// Loads in rows, stores in columns.
__global__ void damp(float *out, const float *in, int n)
{
	__shared__ float tile[8][33];
	int t = threadIdx.y * 32 + threadIdx.x;
	int x = blockIdx.x * 32, y = blockIdx.y * 8;
	tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * n + x + threadIdx.x];
	__syncthreads();
	out[(y + t % 8) * n + x + t / 8] = 0.5f * tile[t % 8][t / 8];
}
