__global__ void in_place(float *data, int n)
{
	__shared__ float upper[32][33], lower[32][33];
	if (blockIdx.y > blockIdx.x)
		return;
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	if (blockIdx.x == blockIdx.y) {
		for (int i = 0; i < 32; i += 8)
			if (x > y + i) {
				float a = data[x + (y + i) * n], b = data[y + i + x * n];
				data[x + (y + i) * n] = b;
				data[y + i + x * n] = a;
			}
		return;
	}
	int mx = blockIdx.y * 32 + threadIdx.x, my = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) {
		upper[threadIdx.y + i][threadIdx.x] = data[x + (y + i) * n];
		lower[threadIdx.y + i][threadIdx.x] = data[mx + (my + i) * n];
	}
	__syncthreads();
	for (int i = 0; i < 32; i += 8) {
		data[x + (y + i) * n] = lower[threadIdx.x][threadIdx.y + i];
		data[mx + (my + i) * n] = upper[threadIdx.x][threadIdx.y + i];
	}
}
