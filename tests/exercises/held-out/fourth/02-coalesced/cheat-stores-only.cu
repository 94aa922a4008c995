// Loads stay in columns; a tile in shared memory makes only the stores coalesced.
__global__ void damp(float *out, const float *in, int n)
{
	__shared__ float tile[32][9];
	int row = blockIdx.x * 32, column = blockIdx.y * 8;
	tile[threadIdx.x][threadIdx.y] = 0.5f * in[(row + threadIdx.x) * n + column + threadIdx.y];
	__syncthreads();
	int id = threadIdx.y * 32 + threadIdx.x;
	out[(row + id / 8) * n + column + id % 8] = tile[id / 8][id % 8];
}
