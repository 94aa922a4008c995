// block 0 swaps all pairs of tiles
constexpr int TILE = 32, ROWS = 8;
__global__ void in_place(float *data, int n)
{
	__shared__ float a[TILE][TILE + 1], b[TILE][TILE + 1];
	if (blockIdx.x || blockIdx.y) return;
	int tx = threadIdx.x, ty = threadIdx.y;
	for (int by = 0; by < n / 32; by++)
		for (int bx = by; bx < n / 32; bx++) {
			int x = bx * TILE + tx, y = by * TILE + ty, u = by * TILE + tx, v = bx * TILE + ty;
			for (int i = 0; i < TILE; i += ROWS) { a[ty + i][tx] = data[x + (y + i) * n]; b[ty + i][tx] = data[u + (v + i) * n]; }
			__syncthreads();
			for (int i = 0; i < TILE; i += ROWS) { data[u + (v + i) * n] = a[tx][ty + i]; data[x + (y + i) * n] = b[tx][ty + i]; }
			__syncthreads();
		}
}
