// A padded static array next to the dynamic one.
extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	__shared__ float padded[32][33];
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		padded[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * n];
	tile[threadIdx.y * 32 + threadIdx.x] = 0;
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		odata[x + (y + i) * n] = padded[threadIdx.x][threadIdx.y + i];
}
