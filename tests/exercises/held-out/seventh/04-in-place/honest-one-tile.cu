// one shared tile used twice, the second tile waits in registers
constexpr int TILE = 32, ROWS = 8;
__global__ void in_place(float *data, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	if (blockIdx.x > blockIdx.y) return;
	int tx = threadIdx.x, ty = threadIdx.y;
	float *p = data + (blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx;
	float *q = data + (blockIdx.x * TILE + ty) * n + blockIdx.y * TILE + tx;
	float r[4];
#pragma unroll
	for (int i = 0; i < 4; i++) { tile[ty + 8 * i][tx] = p[8 * i * n]; r[i] = q[8 * i * n]; }
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++) q[8 * i * n] = tile[tx][ty + 8 * i];
	if (p == q) return;
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++) tile[ty + 8 * i][tx] = r[i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++) p[8 * i * n] = tile[tx][ty + 8 * i];
}
