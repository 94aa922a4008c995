// tiles without padding: 32-way conflicts
constexpr int TILE = 32, ROWS = 8;
__global__ void in_place(float *data, int n)
{
	__shared__ float a[TILE][TILE], b[TILE][TILE];
	if (blockIdx.y > blockIdx.x) return;
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty, u = blockIdx.y * TILE + tx, v = blockIdx.x * TILE + ty;
	for (int i = 0; i < TILE; i += ROWS) { a[ty + i][tx] = data[x + (y + i) * n]; b[ty + i][tx] = data[u + (v + i) * n]; }
	__syncthreads();
	for (int i = 0; i < TILE; i += ROWS) { data[u + (v + i) * n] = a[tx][ty + i]; data[x + (y + i) * n] = b[tx][ty + i]; }
}
