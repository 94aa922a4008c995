// cheat: one block swaps both tiles, without holding them: element by element, one of the two in a column
__global__ void in_place(float *data, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	int y = blockIdx.y * 32 + threadIdx.y;

	for (int i = 0; i < 32; i += 8)
		if (y + i < x) {
			float upper = data[x + (y + i) * n];
			data[x + (y + i) * n] = data[x * n + y + i];
			data[x * n + y + i] = upper;
		}
}
