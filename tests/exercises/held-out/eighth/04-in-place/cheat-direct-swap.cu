// cheat: swaps single elements across the diagonal without any tile: every access to one side is a column
constexpr int TILE = 32, ROWS = 8;

__global__ void in_place(float *data, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		if (y + i < x) {
			float upper = data[(y + i) * n + x], lower = data[x * n + y + i];
			data[(y + i) * n + x] = lower;
			data[x * n + y + i] = upper;
		}
}
