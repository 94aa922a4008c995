// A thread swaps two elements; one of them is always in a column.
__global__ void in_place(float *data, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int y = blockIdx.y * 32 + threadIdx.y; y < (blockIdx.y + 1) * 32; y += 8)
		if (y < x) {
			float a = data[y * n + x], b = data[x * n + y];
			data[y * n + x] = b;
			data[x * n + y] = a;
		}
}
