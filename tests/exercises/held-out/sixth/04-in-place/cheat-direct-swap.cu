__global__ void in_place(float *data, int n)
{
	if (blockIdx.y > blockIdx.x)
		return;
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8)
		if (x > y + i) {
			float a = data[x + (y + i) * n], b = data[y + i + x * n];
			data[x + (y + i) * n] = b;
			data[y + i + x * n] = a;
		}
}
