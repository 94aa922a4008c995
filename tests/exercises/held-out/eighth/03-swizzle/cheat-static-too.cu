// cheat: swizzles a static array of its own, in addition to the 4 KB that the launch gives
constexpr int TILE = 32, ROWS = 8;

__global__ void transpose(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		tile[ty + i][tx ^ (ty + i)] = idata[blockIdx.x * TILE + tx + (blockIdx.y * TILE + ty + i) * n];
	__syncthreads();
	for (int i = 0; i < TILE; i += ROWS)
		odata[blockIdx.y * TILE + tx + (blockIdx.x * TILE + ty + i) * n] = tile[tx][(ty + i) ^ tx];
}
