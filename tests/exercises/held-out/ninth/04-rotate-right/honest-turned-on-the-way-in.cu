// honest: the tile is turned when it is stored, and copied out by rows
constexpr int TILE = 32;
constexpr int ROWS = 8;

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float turned[TILE][TILE + 1];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *from = idata + (blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx;
	float *to = odata + (blockIdx.x * TILE + ty) * n + n - (blockIdx.y + 1) * TILE + tx;
#pragma unroll
	for (int i = 0; i < TILE; i += ROWS)
		turned[tx][TILE - 1 - ty - i] = from[i * n];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < TILE; i += ROWS)
		to[i * n] = turned[ty + i][tx];
}
