// === honest-bounds
// The loops end at the edge instead of testing each element.
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][33];
	int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, w = min(32, columns - x0), h = min(32, rows - y0);
	int tx = threadIdx.x;
	if (tx < w)
		for (int i = threadIdx.y; i < h; i += blockDim.y)
			tile[i][tx] = idata[(y0 + i) * columns + x0 + tx];
	__syncthreads();
	if (tx < h)
		for (int i = threadIdx.y; i < w; i += blockDim.y)
			odata[(x0 + i) * rows + y0 + tx] = tile[tx][i];
}

// === honest-swizzle
// No padding: the column is rotated by the row.
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = ty; i < 32; i += 8)
		if (x0 + tx < columns && y0 + i < rows)
			tile[i][(tx + i) % 32] = idata[(y0 + i) * columns + x0 + tx];
	__syncthreads();
	for (int i = ty; i < 32; i += 8)
		if (y0 + tx < rows && x0 + i < columns)
			odata[(x0 + i) * rows + y0 + tx] = tile[tx][(tx + i) % 32];
}

// === honest-transposed-store
// Transposed when it is stored to the tile, not when it is read.
__global__ void rectangle(float *odata, const float *__restrict__ idata, int rows, int columns)
{
	__shared__ float tile[32 * 33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
	for (int i = 0; i < 32; i += 8)
		if (x < columns && y + i < rows)
			tile[threadIdx.x * 33 + threadIdx.y + i] = idata[(y + i) * columns + x];
	__syncthreads();
	x = blockIdx.x * 32 + threadIdx.y;
	y = blockIdx.y * 32 + threadIdx.x;
#pragma unroll
	for (int i = 0; i < 32; i += 8)
		if (x + i < columns && y < rows)
			odata[(x + i) * rows + y] = tile[(threadIdx.y + i) * 33 + threadIdx.x];
}
