// Threads above the diagonal swap their element with its mirror image, without a tile.
__global__ void in_place(float *data, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x;
	for (int i = threadIdx.y; i < 32; i += 8) {
		int y = blockIdx.y * 32 + i;
		if (x > y) {
			float kept = data[y * n + x];
			data[y * n + x] = data[x * n + y];
			data[x * n + y] = kept;
		}
	}
}
