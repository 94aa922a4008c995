// honest: a swizzled tile of 32 by 32 words, and row pointers
constexpr int TILE = 32, ROWS = 8;

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE * TILE];
	const int tx = threadIdx.x;
	const float *from = idata + blockIdx.y * TILE * n + blockIdx.x * TILE + tx;
	float *to = odata + blockIdx.x * TILE * n + n - (blockIdx.y + 1) * TILE + tx;
	for (int r = threadIdx.y; r < TILE; r += ROWS)
		tile[r * TILE + (tx ^ r)] = from[r * n];
	__syncthreads();
	const int source = TILE - 1 - tx; // row of the tile
	for (int r = threadIdx.y; r < TILE; r += ROWS)
		to[r * n] = tile[source * TILE + (r ^ source)];
}
