// Task: the second half of a separable filter: nine weights along each column. The
// threads of a warp compute pixels of one column: 32 sectors per request. Make all
// accesses coalesced, and load each pixel once per block.
//
// A block of 32 × 8 threads computes 32 × 32 pixels. Outside the image there are
// zeros.
constexpr int TILE = 32, ROWS = 8;
constexpr int R = 4; // radius

__constant__ float taps[2 * R + 1];

__global__ void columns(float *out, const float *in, int width, int height)
{
	int y = blockIdx.y * TILE + threadIdx.x;
	for (int k = threadIdx.y; k < TILE; k += ROWS) {
		int x = blockIdx.x * TILE + k;
		float sum = 0;
		for (int i = -R; i <= R; i++)
			if (x < width && y + i >= 0 && y + i < height)
				sum += taps[i + R] * in[(y + i) * width + x];
		if (x < width && y < height)
			out[y * width + x] = sum;
	}
}
