// cheat: writes rows now, but reads columns instead: the problem has only changed sides
constexpr int TILE = 32, ROWS = 8;

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[(y + i) * n + x] = idata[(n - 1 - x) * n + y + i];
}
