// cheat: the tile is gone, and with it the conflicts: the warps write columns of global memory
constexpr int TILE = 32;
constexpr int ROWS = 8;

__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		odata[x * n + y + i] = idata[x + (y + i) * n];
}
