// Elements swapped directly in global memory, without tiles.
__global__ void in_place(float *data, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int i = 0; i < 32; i += 8) {
		int y = blockIdx.y * 32 + threadIdx.y + i;
		if (y < x) {
			float a = data[y * n + x], b = data[x * n + y];
			data[y * n + x] = b;
			data[x * n + y] = a;
		}
	}
}
