// A tile without padding, rotated rows.
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = ty; i < 32; i += 8)
		tile[i][tx ^ i] = idata[(y0 + i) * n + x0 + tx];
	__syncthreads();
	int to = n - 32 - y0, r = 31 - tx;
	for (int i = ty; i < 32; i += 8)
		odata[(x0 + i) * n + to + tx] = tile[r][i ^ r];
}
