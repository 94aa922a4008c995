// honest: no padding but xor, and loops that end at the edge
constexpr int TILE = 32;

__global__ void rectangle(float *odata, const float *idata, int rows,
	int columns)
{
	__shared__ float tile[TILE * TILE];
	const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	const int width = min(TILE, columns - left), height = min(TILE, rows - top);
	const int tx = threadIdx.x;

	if (tx < width)
		for (int r = threadIdx.y; r < height; r += blockDim.y)
			tile[r * TILE + (tx ^ r)] = idata[(top + r) * columns + left + tx];
	__syncthreads();
	if (tx < height)
		for (int r = threadIdx.y; r < width; r += blockDim.y)
			odata[(left + r) * rows + top + tx] = tile[tx * TILE + (r ^ tx)];
}
