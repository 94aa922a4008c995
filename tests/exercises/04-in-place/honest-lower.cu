// The blocks below the diagonal do it; swizzled tiles.
__global__ void in_place(float *data, int n)
{
	__shared__ float s[2][32][32];
	if (blockIdx.x > blockIdx.y)
		return;
	int tx = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
	for (int i = threadIdx.y; i < 32; i += 8) {
		s[0][i][tx ^ i] = data[(y0 + i) * n + x0 + tx];
		s[1][i][tx ^ i] = data[(x0 + i) * n + y0 + tx];
	}
	__syncthreads();
	for (int i = threadIdx.y; i < 32; i += 8) {
		data[(y0 + i) * n + x0 + tx] = s[1][tx][i ^ tx];
		data[(x0 + i) * n + y0 + tx] = s[0][tx][i ^ tx];
	}
}
