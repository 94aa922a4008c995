// The tile is swizzled instead of padded, and rows and columns past the edge end the loops.
constexpr int TILE = 32;
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[TILE * TILE];
	const int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	if (left + tx < columns)
		for (int r = ty; r < TILE && top + r < rows; r += blockDim.y)
			tile[r * TILE + (tx ^ r)] = idata[(top + r) * columns + left + tx];
	__syncthreads();
	if (top + tx < rows)
		for (int r = ty; r < TILE && left + r < columns; r += blockDim.y)
			odata[(left + r) * rows + top + tx] = tile[tx * TILE + (r ^ tx)];
}
