// cheat: only one of the two tiles is in shared memory; the other is read by columns, directly
constexpr int TILE = 32, ROWS = 8;

__global__ void in_place(float *data, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	if (blockIdx.y > blockIdx.x)
		return;
	int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	float mirror[TILE / ROWS];
#pragma unroll
	for (int k = 0; k < TILE / ROWS; k++) {
		int i = threadIdx.y + k * ROWS;
		tile[i][threadIdx.x] = data[(top + i) * n + left + threadIdx.x];
		mirror[k] = data[(left + threadIdx.x) * n + top + i];
	}
	__syncthreads();
#pragma unroll
	for (int k = 0; k < TILE / ROWS; k++) {
		int i = threadIdx.y + k * ROWS;
		data[(top + i) * n + left + threadIdx.x] = mirror[k];
		data[(left + i) * n + top + threadIdx.x] = tile[threadIdx.x][i];
	}
}
