__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][36];
	int x = blockIdx.x * 32, y = blockIdx.y * 32, t = threadIdx.x;
	for (int i = threadIdx.y; i < 32; i += 8)
		tile[i][t] = idata[(y + i) * n + x + t];
	__syncthreads();
	for (int i = threadIdx.y; i < 32; i += 8)
		odata[(x + i) * n + (n - 32 - y) + t] = tile[31 - t][i];
}
