// The tile is transposed when it is written; loops end at the edge.
template <int TILE> __device__ void move(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[TILE * (TILE + 1)];
	const int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	const int height = min(TILE, rows - top), width = min(TILE, columns - left);
	int tx = threadIdx.x;
	if (tx < width)
		for (int r = threadIdx.y; r < height; r += blockDim.y)
			tile[tx * (TILE + 1) + r] = idata[(top + r) * columns + left + tx];
	__syncthreads();
	if (tx < height)
		for (int c = threadIdx.y; c < width; c += blockDim.y)
			odata[(left + c) * rows + top + tx] = tile[c * (TILE + 1) + tx];
}

__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	move<32>(odata, idata, rows, columns);
}
