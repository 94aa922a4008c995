// Square tiles of other sizes: which side is best? Blocks of SIDE × 8 threads
// move one tile each, SIDE / 8 rows per thread; n is a multiple of SIDE.
constexpr int ROWS = 8; // rows of a tile that a block moves at a time

// A tile of 48 × 49 words is more than half of the 16 KB of shared memory that
// an SM of a GTX 280 has.
template <int SIDE>
__global__ void transpose_side(float *odata, const float *idata, int n)
{
	__shared__ float tile[SIDE][SIDE + 1];
	int x = blockIdx.x * SIDE + threadIdx.x;
	int y = blockIdx.y * SIDE + threadIdx.y;

	for (int i = 0; i < SIDE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = idata[x + (y + i) * n];
	__syncthreads();

	x = blockIdx.y * SIDE + threadIdx.x;
	y = blockIdx.x * SIDE + threadIdx.y;
	for (int i = 0; i < SIDE; i += ROWS)
		odata[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];
}
