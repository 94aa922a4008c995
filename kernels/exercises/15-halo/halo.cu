// Task: sum the 3 × 3 neighborhood of each pixel, for an image of any width and
// height; outside the image there are zeros. This kernel assumes that the blocks
// cover the image exactly, and that there is an image beyond each block.
//
// Blocks of 32 × 8 threads, one per pixel, as many as cover the image.
constexpr int BX = 32, BY = 8;

__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[BY + 2][BX + 2];
	int left = blockIdx.x * BX - 1, top = blockIdx.y * BY - 1;

	for (int i = threadIdx.y; i < BY + 2; i += BY)
		for (int j = threadIdx.x; j < BX + 2; j += BX)
			tile[i][j] = in[(top + i) * width + left + j];
	__syncthreads();

	float sum = 0;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			sum += tile[threadIdx.y + i][threadIdx.x + j];
	out[(top + 1 + threadIdx.y) * width + left + 1 + threadIdx.x] = sum;
}
