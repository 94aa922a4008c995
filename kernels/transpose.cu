// Transposing an n × n matrix by way of shared memory. A block of 32 × 8 threads
// moves one tile of 32 × 32 elements, four rows a thread. Rows are read and
// written whole; the turn happens inside the tile, where the banks decide what
// it costs.
//
// n has to be a multiple of TILE: as on the lecture's slides there is no code for
// tiles that the edge cuts off.
constexpr int TILE = 32; // elements on a side of a tile
constexpr int ROWS = 8;  // rows of a tile that a block covers at a time

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
