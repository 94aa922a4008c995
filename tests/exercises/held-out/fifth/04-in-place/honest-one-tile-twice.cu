// One tile of shared memory: the mirror tile waits in registers until both have been read, then takes its turn.
constexpr int TILE = 32, ROWS = 8;
__global__ void in_place(float *data, int n)
{
	if (blockIdx.x < blockIdx.y)
		return;
	__shared__ float tile[TILE][TILE + 1];
	const int tx = threadIdx.x, ty = threadIdx.y;
	float *upper = data + (blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx;
	float *lower = data + (blockIdx.x * TILE + ty) * n + blockIdx.y * TILE + tx;
	float kept[TILE / ROWS];
#pragma unroll
	for (int i = 0; i < TILE / ROWS; i++) {
		kept[i] = lower[i * ROWS * n];
		tile[ty + i * ROWS][tx] = upper[i * ROWS * n];
	}
	__syncthreads();
#pragma unroll
	for (int i = 0; i < TILE / ROWS; i++)
		lower[i * ROWS * n] = tile[tx][ty + i * ROWS];
	if (blockIdx.x == blockIdx.y)
		return;
	__syncthreads();
#pragma unroll
	for (int i = 0; i < TILE / ROWS; i++)
		tile[ty + i * ROWS][tx] = kept[i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < TILE / ROWS; i++)
		upper[i * ROWS * n] = tile[tx][ty + i * ROWS];
}
