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
