// one tile through shared memory, the mirror tile by columns
constexpr int TILE = 32, ROWS = 8;
__global__ void in_place(float *data, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	if (blockIdx.y > blockIdx.x) return;
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	int u = blockIdx.y * TILE + threadIdx.x, v = blockIdx.x * TILE + threadIdx.y;
	float r[4];
	for (int i = 0; i < 4; i++) {
		tile[threadIdx.y + 8 * i][threadIdx.x] = data[x + (y + 8 * i) * n];
		r[i] = data[(y + 8 * i) + x * n];
	}
	__syncthreads();
	for (int i = 0; i < 4; i++) {
		data[u + (v + 8 * i) * n] = tile[threadIdx.x][threadIdx.y + 8 * i];
		if (blockIdx.x != blockIdx.y) data[x + (y + 8 * i) * n] = r[i];
	}
}
