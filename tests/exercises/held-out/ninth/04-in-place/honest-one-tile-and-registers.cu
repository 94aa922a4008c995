// honest: one tile of shared memory: the mirror image waits in registers
constexpr int TILE = 32;
constexpr int ROWS = 8;
constexpr int EACH = TILE / ROWS;

__global__ void in_place(float *data, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	if (blockIdx.x < blockIdx.y)
		return;
	const int tx = threadIdx.x, ty = threadIdx.y;
	float *upper = data + (blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx;
	float *lower = data + (blockIdx.x * TILE + ty) * n + blockIdx.y * TILE + tx;

	float mirror[EACH];
#pragma unroll
	for (int k = 0; k < EACH; k++) {
		tile[ty + k * ROWS][tx] = upper[k * ROWS * n];
		mirror[k] = lower[k * ROWS * n];
	}
	__syncthreads();
#pragma unroll
	for (int k = 0; k < EACH; k++)
		lower[k * ROWS * n] = tile[tx][ty + k * ROWS];
	__syncthreads();
#pragma unroll
	for (int k = 0; k < EACH; k++)
		tile[ty + k * ROWS][tx] = mirror[k];
	__syncthreads();
#pragma unroll
	for (int k = 0; k < EACH; k++)
		upper[k * ROWS * n] = tile[tx][ty + k * ROWS];
}
