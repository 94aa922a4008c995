// cheat: the columns are written with atomicExch, which no store request shows
constexpr int TILE = 32, ROWS = 8;

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		atomicExch(&odata[x * n + n - 1 - (y + i)], idata[(y + i) * n + x]);
}
