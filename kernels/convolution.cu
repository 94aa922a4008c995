// A filter over an image of n × n floats: each pixel becomes a weighted sum of its
// neighborhood of 2 r + 1 rows and columns. Outside the image there are zeros.
// Blocks have 32 × 8 threads; n is a multiple of 32.
constexpr int MOST = 15; // the largest radius
constexpr int TILE = 32; // rows and columns of pixels for a block
constexpr int ROWS = 8;  // rows that a block computes at a time

// Filled before the launch, as cudaMemcpyToSymbol does: all weights, row by row, and
// the weights of one row; weights[i * width + j] == taps[i] * taps[j].
__constant__ float weights[(2 * MOST + 1) * (2 * MOST + 1)];
__constant__ float taps[2 * MOST + 1];

__device__ float pixel(const float *image, int x, int y, int n)
{
	return x >= 0 && x < n && y >= 0 && y < n ? image[y * n + x] : 0;
}

// The weights are in global memory, like the image.
__global__ void naive(float *out, const float *image, const float *table, int n, int r)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
	float sum = 0;
	for (int i = -r; i <= r; i++)
		for (int j = -r; j <= r; j++)
			sum += *table++ * pixel(image, x + j, y + i, n);
	out[y * n + x] = sum;
}

// The weights are in constant memory: all threads read the same one at a time.
__global__ void constant(float *out, const float *image, int n, int r)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y, k = 0;
	float sum = 0;
	for (int i = -r; i <= r; i++)
		for (int j = -r; j <= r; j++)
			sum += weights[k++] * pixel(image, x + j, y + i, n);
	out[y * n + x] = sum;
}

extern __shared__ float tile[];

// Loads rows × columns pixels to shared memory; the first one is (left, top).
__device__ void load(const float *image, int left, int top, int columns, int rows, int n)
{
	for (int i = threadIdx.y; i < rows; i += ROWS)
		for (int j = threadIdx.x; j < columns; j += TILE)
			tile[i * columns + j] = pixel(image, left + j, top + i, n);
	__syncthreads();
}

// A block loads its 32 × 32 pixels and a halo of r pixels on each side, once.
__device__ void filter_tile(float *out, const float *image, int n, int r)
{
	int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	int width = 2 * r + 1, row = TILE + 2 * r;
	load(image, left - r, top - r, row, row, n);
	for (int y = threadIdx.y; y < TILE; y += ROWS) {
		const float *from = tile + y * row + threadIdx.x;
		float sum = 0;
#pragma unroll 1 // only the inner loop, where its length is known
		for (int i = 0; i < width; i++, from += row)
#pragma unroll
			for (int j = 0; j < width; j++)
				sum += weights[i * width + j] * from[j];
		out[(top + y) * n + left + threadIdx.x] = sum;
	}
}

__global__ void tiled(float *out, const float *image, int n, int r)
{
	filter_tile(out, image, n, r);
}

// The radius is known to the compiler, which unrolls the inner loop.
template <int R> __global__ void unrolled(float *out, const float *image, int n)
{
	filter_tile(out, image, n, R);
}

// A thread computes four pixels of a column: a word of the tile, once loaded, is used
// for all of them that it is in the neighborhood of.
template <int R> __global__ void four(float *out, const float *image, int n)
{
	constexpr int EACH = TILE / ROWS, WIDTH = 2 * R + 1, ROW = TILE + 2 * R;
	int left = blockIdx.x * TILE, top = blockIdx.y * TILE, y = threadIdx.y * EACH;
	load(image, left - R, top - R, ROW, ROW, n);
	const float *from = tile + y * ROW + threadIdx.x;
	float sum[EACH] = {};
	for (int j = 0; j < WIDTH; j++)
#pragma unroll
		for (int i = 0; i < EACH + 2 * R; i++) {
			float word = from[i * ROW + j];
#pragma unroll
			for (int k = 0; k < EACH; k++)
				if (i >= k && i - k < WIDTH)
					sum[k] += weights[(i - k) * WIDTH + j] * word;
		}
#pragma unroll
	for (int k = 0; k < EACH; k++)
		out[(top + y + k) * n + left + threadIdx.x] = sum[k];
}

// A separable filter is two filters of one dimension: first the rows, then the columns.
__global__ void rows(float *out, const float *image, int n, int r)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
	float sum = 0;
	for (int j = -r; j <= r; j++)
		sum += taps[j + r] * pixel(image, x + j, y, n);
	out[y * n + x] = sum;
}

__global__ void columns(float *out, const float *image, int n, int r)
{
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
	float sum = 0;
	for (int i = -r; i <= r; i++)
		sum += taps[i + r] * pixel(image, x, y + i, n);
	out[y * n + x] = sum;
}

// The same through tiles: a row's tile has its halo left and right, three tiles wide;
// a column's has it above and below, and is as tall as three tiles.
constexpr int LONG = 3 * TILE;

template <int R> __global__ void rows_tiled(float *out, const float *image, int n)
{
	int left = blockIdx.x * LONG, y = blockIdx.y * ROWS + threadIdx.y;
	load(image, left - R, blockIdx.y * ROWS, LONG + 2 * R, ROWS, n);
	for (int x = threadIdx.x; x < LONG && left + x < n; x += TILE) {
		const float *from = tile + threadIdx.y * (LONG + 2 * R) + x;
		float sum = 0;
#pragma unroll
		for (int j = 0; j <= 2 * R; j++)
			sum += taps[j] * from[j];
		out[y * n + left + x] = sum;
	}
}

template <int R> __global__ void columns_tiled(float *out, const float *image, int n)
{
	int left = blockIdx.x * TILE, top = blockIdx.y * LONG;
	load(image, left, top - R, TILE, LONG + 2 * R, n);
	for (int y = threadIdx.y; y < LONG && top + y < n; y += ROWS) {
		const float *from = tile + y * TILE + threadIdx.x;
		float sum = 0;
#pragma unroll
		for (int i = 0; i <= 2 * R; i++)
			sum += taps[i] * from[i * TILE];
		out[(top + y) * n + left + threadIdx.x] = sum;
	}
}
