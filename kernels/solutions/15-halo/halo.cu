// Each load is guarded, and puts a zero where the image has no pixel; each store
// is guarded, too. The barrier is not.
//
// Blocks of 32 × 8 threads, one per pixel, as many as cover the image.
constexpr int BX = 32, BY = 8;

__global__ void halo(float *out, const float *in, int width, int height)
{
	__shared__ float tile[BY + 2][BX + 2];
	int left = blockIdx.x * BX - 1, top = blockIdx.y * BY - 1;

	for (int i = threadIdx.y; i < BY + 2; i += BY)
		for (int j = threadIdx.x; j < BX + 2; j += BX) {
			int x = left + j, y = top + i;
			bool inside = x >= 0 && x < width && y >= 0 && y < height;
			tile[i][j] = inside ? in[y * width + x] : 0;
		}
	__syncthreads();

	int x = left + 1 + threadIdx.x, y = top + 1 + threadIdx.y;
	float sum = 0;
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 3; j++)
			sum += tile[threadIdx.y + i][threadIdx.x + j];
	if (x < width && y < height)
		out[y * width + x] = sum;
}
