__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[32 * 33];
	const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	const int width = min(32, columns - x0), height = min(32, rows - y0);

	if (threadIdx.x < width)
		for (int r = threadIdx.y; r < height; r += blockDim.y)
			tile[r * 33 + threadIdx.x] = idata[(y0 + r) * columns + x0 + threadIdx.x];
	__syncthreads();
	if (threadIdx.x < height)
		for (int c = threadIdx.y; c < width; c += blockDim.y)
			odata[(x0 + c) * rows + y0 + threadIdx.x] = tile[threadIdx.x * 33 + c];
}
