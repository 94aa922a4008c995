// Every block swaps, halves of tiles each, with columns written.
__global__ void in_place(float *data, int n)
{
	__shared__ float a[32][33];
	int bx = blockIdx.x, by = blockIdx.y;
	if (bx > by)
		return;
	for (int i = threadIdx.y; i < 32; i += 8)
		a[i][threadIdx.x] = data[(by * 32 + i) * n + bx * 32 + threadIdx.x];
	__syncthreads();
	for (int i = threadIdx.y; i < 32; i += 8) {
		int row = bx * 32 + threadIdx.x, column = by * 32 + i;
		float other = data[row * n + column];
		if (bx < by || row < column) {
			data[row * n + column] = a[i][threadIdx.x];
			data[column * n + row] = other;
		}
	}
}
