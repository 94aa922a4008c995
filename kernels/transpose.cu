// Transposing an n × n matrix: element by element, and through shared memory,
// where a block of 32 × 8 threads moves one tile of 32 × 32 elements, four rows
// per thread. Global memory is then accessed in whole rows; the transposition
// happens inside the tile, where the banks determine its cost.
//
// The element kernels accept any n with n² below 2³¹. The tile kernels need a
// multiple of TILE: as on the lecture's slides, they do not handle tiles that
// extend past the edge.
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

// A plain copy, without transposing.
__global__ void copy(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < n && y < n)
		odata[y * n + x] = idata[y * n + x];
}

// A warp reads a row and writes a column: a stride of n words.
__global__ void naive(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < n && y < n)
		odata[x * n + y] = idata[y * n + x];
}

// A copy along columns on both sides.
__global__ void strided(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < n && y < n)
		odata[x * n + y] = idata[x * n + y];
}

// The tile is written as it was read: a copy, and the baseline for everything
// that goes through shared memory. A warp reads 32 consecutive words.
__global__ void copy_tile(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * n];
	__syncthreads();
	for (int i = 0; i < TILE; i += ROWS)
		odata[x + (y + i) * n] = tile[threadIdx.y + i][threadIdx.x];
}

// The tile is written by rows and read by columns, with a stride of WIDTH.
// 32: all in one bank. 33, one padding word per row: each in its own bank.
template <int WIDTH> __global__ void transpose_tile(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][WIDTH];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * n];
	__syncthreads();

	x = blockIdx.y * TILE + threadIdx.x; // in the result, the tile's block
	y = blockIdx.x * TILE + threadIdx.y; // row and block column are swapped
	for (int i = 0; i < TILE; i += ROWS)
		odata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];
}

// As transpose_tile, but blocks that start together take tiles along a
// diagonal. Neither the tiles they read nor those they write are in one column
// of the matrix. On cc 1.x such a column is, for many n, in one memory partition.
template <int WIDTH> __global__ void transpose_diagonal(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][WIDTH];
	int row = blockIdx.x; // of tiles
	int column = (blockIdx.x + blockIdx.y) % gridDim.x;
	int x = column * TILE + threadIdx.x;
	int y = row * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * n];
	__syncthreads();

	x = row * TILE + threadIdx.x;
	y = column * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];
}

// As transpose_tile<33>, but a row of both matrices has `pitch` elements, of
// which only the first n are used: the remedy that keeps the order of the
// blocks.
__global__ void transpose_pitched(float *odata, const float *idata, int pitch)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * pitch];
	__syncthreads();

	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[x + (y + i) * pitch] = tile[threadIdx.x][threadIdx.y + i];
}
