// One tile in shared memory, its mirror image in registers.
__global__ void in_place(float *data, int n)
{
	__shared__ float tile[32][33];
	if (blockIdx.y > blockIdx.x)
		return;
	int tx = threadIdx.x, ty = threadIdx.y;
	float *upper = data + blockIdx.y * 32 * n + blockIdx.x * 32, *lower = data + blockIdx.x * 32 * n + blockIdx.y * 32;
	float mirror[4];
#pragma unroll
	for (int i = 0; i < 4; i++) {
		tile[ty + 8 * i][tx] = upper[(ty + 8 * i) * n + tx];
		mirror[i] = lower[(ty + 8 * i) * n + tx];
	}
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		lower[(ty + 8 * i) * n + tx] = tile[tx][ty + 8 * i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		tile[ty + 8 * i][tx] = mirror[i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		upper[(ty + 8 * i) * n + tx] = tile[tx][ty + 8 * i];
}
