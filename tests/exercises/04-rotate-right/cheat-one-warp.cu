__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][33];
	if (threadIdx.y)
		return;
	int x = blockIdx.x * 32, y = blockIdx.y * 32, t = threadIdx.x;
	for (int i = 0; i < 32; i++)
		tile[i][t] = idata[(y + i) * n + x + t];
	__syncwarp();
	for (int i = 0; i < 32; i++)
		odata[(x + i) * n + (n - 32 - y) + t] = tile[31 - t][i];
}
