// swaps pairs of elements directly: one side by columns
constexpr int TILE = 32, ROWS = 8;
__global__ void in_place(float *data, int n)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		if (x > y + i) {
			float a = data[x + (y + i) * n], b = data[(y + i) + x * n];
			data[x + (y + i) * n] = b; data[(y + i) + x * n] = a;
		}
}
