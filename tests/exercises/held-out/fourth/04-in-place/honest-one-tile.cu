// One tile of shared memory; the mirror image waits in registers.
__global__ void in_place(float *data, int n)
{
	__shared__ float tile[32][33];
	int x = blockIdx.x * 32, y = blockIdx.y * 32, tx = threadIdx.x, ty = threadIdx.y;
	if (blockIdx.x < blockIdx.y)
		return;
	float mirror[4];
#pragma unroll
	for (int i = 0; i < 4; i++) {
		tile[ty + 8 * i][tx] = data[(y + ty + 8 * i) * n + x + tx];
		mirror[i] = data[(x + ty + 8 * i) * n + y + tx];
	}
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		data[(x + ty + 8 * i) * n + y + tx] = tile[tx][ty + 8 * i];
	if (x == y)
		return;
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		tile[ty + 8 * i][tx] = mirror[i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		data[(y + ty + 8 * i) * n + x + tx] = tile[tx][ty + 8 * i];
}
