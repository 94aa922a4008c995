// One tile of shared memory, and four registers.
constexpr int TILE = 32; // rows and columns of a tile
constexpr int ROWS = 8;  // rows of a tile that a block moves at a time

__global__ void in_place(float *data, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	if (blockIdx.y > blockIdx.x)
		return; // the whole block: no thread's part of a tile is missing

	int x = blockIdx.x * TILE + threadIdx.x;
	int y = blockIdx.y * TILE + threadIdx.y;
	int mirror_x = blockIdx.y * TILE + threadIdx.x;
	int mirror_y = blockIdx.x * TILE + threadIdx.y;

	float other[TILE / ROWS];
#pragma unroll
	for (int i = 0; i < TILE; i += ROWS) {
		tile[threadIdx.y + i][threadIdx.x] = data[x + (y + i) * n];
		other[i / ROWS] = data[mirror_x + (mirror_y + i) * n];
	}
	__syncthreads();
	for (int i = 0; i < TILE; i += ROWS)
		data[mirror_x + (mirror_y + i) * n] = tile[threadIdx.x][threadIdx.y + i];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = other[i / ROWS];
	__syncthreads();
	for (int i = 0; i < TILE; i += ROWS)
		data[x + (y + i) * n] = tile[threadIdx.x][threadIdx.y + i];
}
