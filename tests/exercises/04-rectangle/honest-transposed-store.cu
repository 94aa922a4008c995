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
