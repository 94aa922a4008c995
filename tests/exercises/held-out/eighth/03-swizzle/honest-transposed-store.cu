// honest: the tile is stored transposed, with the rows mirrored and xored, and read along its rows
constexpr int TILE = 32, ROWS = 8;
extern __shared__ float words[];

__global__ void transpose(float *odata, const float *idata, int n)
{
	unsigned tx = threadIdx.x;
	for (unsigned r = threadIdx.y; r < TILE; r += ROWS) {
		float x = idata[blockIdx.x * TILE + tx + (blockIdx.y * TILE + r) * n];
		words[tx * TILE + (r ^ (31 - tx))] = x; // row tx of the transpose, column r
	}
	__syncthreads();
	for (unsigned r = threadIdx.y; r < TILE; r += ROWS)
		odata[blockIdx.y * TILE + tx + (blockIdx.x * TILE + r) * n] = words[r * TILE + (tx ^ (31 - r))];
}
