// Only one warp of each block works.
__global__ void in_place(float *data, int n)
{
	__shared__ float a[32][33], b[32][33];
	int x = blockIdx.x * 32, y = blockIdx.y * 32, tx = threadIdx.x;
	if (x < y || threadIdx.y)
		return;
	for (int i = 0; i < 32; i++) {
		a[i][tx] = data[(y + i) * n + x + tx];
		b[i][tx] = data[(x + i) * n + y + tx];
	}
	__syncwarp();
	for (int i = 0; i < 32; i++) {
		data[(x + i) * n + y + tx] = a[tx][i];
		data[(y + i) * n + x + tx] = b[tx][i];
	}
}
