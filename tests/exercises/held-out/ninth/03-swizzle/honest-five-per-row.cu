// honest: each row is rotated by five more columns, offsets computed once
constexpr int TILE = 32;
constexpr int ROWS = 8;

extern __shared__ float tile[];

__device__ __forceinline__ int position(unsigned row, unsigned column)
{
	return (row << 5) | ((column + 5 * row) & 31);
}

__global__ void transpose(float *odata, const float *idata, int n)
{
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *from = idata + (blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx;
	float *to = odata + (blockIdx.x * TILE + ty) * n + blockIdx.y * TILE + tx;

#pragma unroll
	for (int i = 0; i < TILE; i += ROWS)
		tile[position(ty + i, tx)] = from[i * n];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < TILE; i += ROWS)
		to[i * n] = tile[position(tx, ty + i)];
}
