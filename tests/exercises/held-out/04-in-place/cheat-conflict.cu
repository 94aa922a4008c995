// Both tiles, without padding.
__global__ void in_place(float *data, int n)
{
	__shared__ float a[32][32], b[32][32];
	if (blockIdx.x < blockIdx.y)
		return;
	int x = blockIdx.x * 32, y = blockIdx.y * 32;
	for (int i = threadIdx.y; i < 32; i += 8) {
		a[i][threadIdx.x] = data[(y + i) * n + x + threadIdx.x];
		b[i][threadIdx.x] = data[(x + i) * n + y + threadIdx.x];
	}
	__syncthreads();
	for (int i = threadIdx.y; i < 32; i += 8) {
		data[(x + i) * n + y + threadIdx.x] = a[threadIdx.x][i];
		data[(y + i) * n + x + threadIdx.x] = b[threadIdx.x][i];
	}
}
