// Shuffles within a warp that still write columns of eight.
__global__ void transpose(float *odata, const float *idata, int n)
{
	extern __shared__ float tile[];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32, y = blockIdx.y * 32;
	for (int i = 0; i < 32; i += 8)
		tile[(ty + i) * 32 + tx] = idata[(y + ty + i) * n + x + tx];
	__syncthreads();
	for (int i = 0; i < 32; i += 8) {
		int r = (tx + 8 * (tx / 8)) % 32;
		(void)r;
		odata[(x + ty + i) * n + y + tx] = tile[tx * 32 + ty + i];
	}
}
