// Blocks are numbered by the tile that they write; the tile is stored transposed.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32 * 33];
	int tx = threadIdx.x, ty = threadIdx.y;
	int row = blockIdx.y * 32, column = blockIdx.x * 32, from = n - 32 - column;
#pragma unroll
	for (int i = 0; i < 32; i += 8)
		tile[tx * 33 + 31 - (ty + i)] = idata[(from + ty + i) * n + row + tx];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 32; i += 8)
		odata[(row + ty + i) * n + column + tx] = tile[(ty + i) * 33 + tx];
}
