// No padding: rows of the tile are permuted by exclusive or.
__global__ void rectangle(float *odata, const float *idata, int rows, int columns)
{
	__shared__ float tile[1024];
	int tx = threadIdx.x, wide = min(32, columns - (int)blockIdx.x * 32), high = min(32, rows - (int)blockIdx.y * 32);
	const float *from = idata + blockIdx.y * 32 * columns + blockIdx.x * 32;
	float *to = odata + blockIdx.x * 32 * rows + blockIdx.y * 32;
	for (int i = threadIdx.y; i < high; i += 8)
		if (tx < wide)
			tile[32 * i + (tx ^ i)] = from[i * columns + tx];
	__syncthreads();
	for (int i = threadIdx.y; i < wide; i += 8)
		if (tx < high)
			to[i * rows + tx] = tile[32 * tx + (i ^ tx)];
}
