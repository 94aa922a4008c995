// Each thread above the diagonal swaps two elements, without a tile: one of the two accesses is a column.
__global__ void in_place(float *data, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int y = blockIdx.y * 32 + threadIdx.y; y < blockIdx.y * 32 + 32; y += 8)
		if (x > y) {
			float upper = data[y * n + x];
			data[y * n + x] = data[x * n + y];
			data[x * n + y] = upper;
		}
}
