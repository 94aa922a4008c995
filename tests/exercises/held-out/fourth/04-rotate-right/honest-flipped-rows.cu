// The tile is filled with its rows in reverse order and then transposed.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][33];
	const float *from = idata + blockIdx.y * 32 * n + blockIdx.x * 32 + threadIdx.x;
	for (int i = threadIdx.y; i < 32; i += 8)
		tile[31 - i][threadIdx.x] = from[i * n];
	__syncthreads();
	float *to = odata + blockIdx.x * 32 * n + (gridDim.y - 1 - blockIdx.y) * 32 + threadIdx.x;
	for (int i = threadIdx.y; i < 32; i += 8)
		to[i * n] = tile[threadIdx.x][i];
}
