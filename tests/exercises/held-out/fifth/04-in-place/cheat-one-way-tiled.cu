// Only one of the two tiles goes through shared memory; the other is read by columns.
constexpr int TILE = 32, ROWS = 8;
__global__ void in_place(float *data, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	if (blockIdx.y > blockIdx.x)
		return;
	int bx = blockIdx.x * TILE, by = blockIdx.y * TILE, tx = threadIdx.x, ty = threadIdx.y;
	float other[4];
	for (int i = 0; i < 4; i++) {
		tile[ty + ROWS * i][tx] = data[(by + ty + ROWS * i) * n + bx + tx];
		other[i] = data[(bx + tx) * n + by + ty + ROWS * i];
	}
	__syncthreads();
	for (int i = 0; i < 4; i++) {
		data[(by + ty + ROWS * i) * n + bx + tx] = other[i];
		if (bx != by)
			data[(bx + ty + ROWS * i) * n + by + tx] = tile[tx][ty + ROWS * i];
	}
}
