// loop bounds instead of conditions inside, swizzled
constexpr int TILE = 32, ROWS = 8;
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[TILE * TILE];
	int x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE, tx = threadIdx.x;
	int w = min(TILE, columns - x0), h = min(TILE, rows - y0);
	if (tx < w)
		for (int r = threadIdx.y; r < h; r += ROWS) tile[r * TILE + (tx ^ r)] = idata[(size_t)(y0 + r) * columns + x0 + tx];
	__syncthreads();
	if (tx >= h) return;
	for (int c = threadIdx.y; c < w; c += ROWS) odata[(size_t)(x0 + c) * rows + y0 + tx] = tile[tx * TILE + (c ^ tx)];
}
