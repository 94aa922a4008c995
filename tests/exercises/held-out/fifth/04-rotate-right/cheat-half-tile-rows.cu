// A tile of 16 columns at a time: half-rows of 64 bytes are written, two per warp, and the tile is read with conflicts.
constexpr int TILE = 32;
__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float tile[TILE][TILE];
	int tx = threadIdx.x, left = blockIdx.x * TILE, top = blockIdx.y * TILE;
	for (int r = threadIdx.y; r < TILE; r += 8)
		tile[r][tx] = idata[(top + r) * n + left + tx];
	__syncthreads();
	int t = threadIdx.y * 32 + tx;
	for (int half = 0; half < 2; half++)
		for (int r = t / 16; r < TILE; r += 16) {
			int c = half * 16 + t % 16;
			odata[(left + r) * n + n - TILE - top + c] = tile[TILE - 1 - c][r];
		}
}
