// An element is stored as many columns to the left as its row's number.
constexpr int TILE = 32;
extern __shared__ float tile[];
__device__ float &element(int row, int column) { return tile[row * TILE + ((column - row) & (TILE - 1))]; }
__global__ void transpose(float *odata, const float *idata, int n)
{
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *from = idata + (blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx;
	float *to = odata + (blockIdx.x * TILE + ty) * n + blockIdx.y * TILE + tx;
#pragma unroll
	for (int i = 0; i < TILE; i += 8)
		element(ty + i, tx) = from[i * n];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < TILE; i += 8)
		to[i * n] = element(tx, ty + i);
}
