// honest: the tile is rotated while it is written, and read along its rows
constexpr int TILE = 32, ROWS = 8;

__global__ void rotate_right(float *odata, const float *idata, int n)
{
	__shared__ float rotated[TILE][TILE + 1];
	int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
	for (int k = 0; k < TILE / ROWS; k++) {
		int r = ty + k * ROWS;
		rotated[tx][TILE - 1 - r] = idata[(blockIdx.y * TILE + r) * n + blockIdx.x * TILE + tx];
	}
	__syncthreads();
#pragma unroll
	for (int k = 0; k < TILE / ROWS; k++) {
		int r = ty + k * ROWS;
		odata[(blockIdx.x * TILE + r) * n + (gridDim.y - 1 - blockIdx.y) * TILE + tx] = rotated[r][tx];
	}
}
