// Padding in static shared memory; the dynamic array is not used.
__global__ void transpose(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * n];
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];
}
