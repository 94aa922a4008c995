// honest: a block is responsible for a tile of the result and finds out which one to read; xor instead of padding
constexpr int TILE = 32;

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE * TILE];
	int out_column = blockIdx.x * TILE, out_row = blockIdx.y * TILE;
	int in_row = n - TILE - out_column, in_column = out_row;

	for (int r = threadIdx.y; r < TILE; r += blockDim.y)
		tile[r * TILE + (r ^ threadIdx.x)] = idata[(in_row + r) * n + in_column + threadIdx.x];
	__syncthreads();
	int last = TILE - 1 - threadIdx.x;
	for (int r = threadIdx.y; r < TILE; r += blockDim.y)
		odata[(out_row + r) * n + out_column + threadIdx.x] = tile[last * TILE + (r ^ last)];
}
