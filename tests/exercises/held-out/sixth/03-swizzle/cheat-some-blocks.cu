extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	bool old = blockIdx.x == blockIdx.y && blockIdx.x % 4 == 0;
	for (int i = 0; i < 32; i += 8) {
		int r = threadIdx.y + i, c = threadIdx.x;
		tile[r * 32 + (old ? c : c ^ r)] = idata[x + (y + i) * n];
	}
	__syncthreads();
	x = blockIdx.y * 32 + threadIdx.x;
	y = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) {
		int r = threadIdx.x, c = threadIdx.y + i;
		odata[x + (y + i) * n] = tile[r * 32 + (old ? c : c ^ r)];
	}
}
