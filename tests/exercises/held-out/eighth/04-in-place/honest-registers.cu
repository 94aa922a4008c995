// honest: one tile in shared memory; the mirror image waits in registers and then takes its place
constexpr int TILE = 32, ROWS = 8;

__global__ void in_place(float *data, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	if (blockIdx.y > blockIdx.x)
		return;
	int tx = threadIdx.x, ty = threadIdx.y;
	float *upper = data + blockIdx.y * TILE * n + blockIdx.x * TILE + tx;
	float *lower = data + blockIdx.x * TILE * n + blockIdx.y * TILE + tx;
	float kept[4];
#pragma unroll
	for (int k = 0; k < 4; k++) {
		tile[ty + 8 * k][tx] = upper[(ty + 8 * k) * n];
		kept[k] = lower[(ty + 8 * k) * n];
	}
	__syncthreads();
#pragma unroll
	for (int k = 0; k < 4; k++)
		lower[(ty + 8 * k) * n] = tile[tx][ty + 8 * k];
	__syncthreads();
#pragma unroll
	for (int k = 0; k < 4; k++)
		tile[ty + 8 * k][tx] = kept[k];
	__syncthreads();
#pragma unroll
	for (int k = 0; k < 4; k++)
		upper[(ty + 8 * k) * n] = tile[tx][ty + 8 * k];
}
