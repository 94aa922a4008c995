// The threads of a warp are next to each other in a row. The block's pixels and
// four rows above and below are loaded once; the columns are read from the tile,
// where a warp reads one row of it at a time: 32 words in 32 banks.
//
// A block of 32 × 8 threads computes 32 × 32 pixels. Outside the image there are
// zeros.
constexpr int TILE = 32, ROWS = 8;
constexpr int R = 4; // radius

__constant__ float taps[2 * R + 1];

__global__ void columns(float *out, const float *in, int width, int height)
{
	__shared__ float tile[TILE + 2 * R][TILE];
	int x = blockIdx.x * TILE + threadIdx.x, top = blockIdx.y * TILE;

	for (int i = threadIdx.y; i < TILE + 2 * R; i += ROWS) {
		int y = top - R + i;
		bool inside = x < width && y >= 0 && y < height;
		tile[i][threadIdx.x] = inside ? in[y * width + x] : 0;
	}
	__syncthreads();

	for (int k = threadIdx.y; k < TILE; k += ROWS) {
		float sum = 0;
		for (int i = 0; i <= 2 * R; i++)
			sum += taps[i] * tile[k + i][threadIdx.x];
		if (x < width && top + k < height)
			out[(top + k) * width + x] = sum;
	}
}
