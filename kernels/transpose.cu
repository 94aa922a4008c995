// Transposing an n × n matrix: element by element, and by way of shared memory,
// where a block of 32 × 8 threads moves one tile of 32 × 32 elements, four rows a
// thread. Rows are then read and written whole; the turn happens inside the tile,
// where the banks decide what it costs.
//
// The element kernels take any n, n² below 2³¹. For the tiles n has to be a
// multiple of TILE: as on the lecture's slides there is no code for tiles that
// the edge cuts off.
constexpr int TILE = 32; // elements on a side of a tile
constexpr int ROWS = 8;  // rows of a tile that a block covers at a time

// Nothing is turned round: the mark for all the others.
__global__ void copy(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < n && y < n)
		odata[y * n + x] = idata[y * n + x];
}

// A warp reads a row and writes a column: its words are n apart.
__global__ void naive(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < n && y < n)
		odata[x * n + y] = idata[y * n + x];
}

// A copy again, along columns on both sides.
__global__ void strided(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x < n && y < n)
		odata[x * n + y] = idata[x * n + y];
}

// The tile comes out the way it went in: a copy, and so the speed that anything
// going through shared memory can hope for. A warp reads 32 neighbouring words.
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

// The tile goes in by rows and comes out by columns, whose words lie WIDTH apart.
// 32: all in one bank. 33, one word a row left unused: each in a bank of its own.
template <int WIDTH> __global__ void transpose_tile(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][WIDTH];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * n];
	__syncthreads();

	x = blockIdx.y * TILE + threadIdx.x; // in the result the tile's row and
	y = blockIdx.x * TILE + threadIdx.y; // column of blocks change places
	for (int i = 0; i < TILE; i += ROWS)
		odata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];
}

// As transpose_tile, but blocks that start together take tiles along a diagonal.
// Neither the tiles they read nor those they write lie in one column of the
// matrix, which for many n is one partition of the memory.
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

// As transpose_tile<33>, but the rows of both matrices are `pitch` elements
// apart, of which only the first n are used: a way out that needs no other
// order.
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
