// rotation by five times the row
constexpr int TILE = 32, ROWS = 8;
extern __shared__ float tile[];
__device__ float &at(int row, int column) { return tile[row * TILE + (column + 5 * row & 31)]; }
__global__ void transpose(float *odata, const float *idata, int n)
{
	const float *from = idata + (blockIdx.y * TILE + threadIdx.y) * n + blockIdx.x * TILE + threadIdx.x;
	for (int i = 0; i < TILE; i += ROWS, from += ROWS * n) at(threadIdx.y + i, threadIdx.x) = *from;
	__syncthreads();
	float *to = odata + (blockIdx.x * TILE + threadIdx.y) * n + blockIdx.y * TILE + threadIdx.x;
	for (int i = 0; i < TILE; i += ROWS, to += ROWS * n) *to = at(threadIdx.x, threadIdx.y + i);
}
