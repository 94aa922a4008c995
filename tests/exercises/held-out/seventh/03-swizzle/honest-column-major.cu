// tile stored transposed with an exclusive or of the complement
constexpr int TILE = 32;
extern __shared__ float tile[];
__global__ void transpose(float *odata, const float *idata, int n)
{
	auto position = [](int row, int column) { return column * TILE + (row ^ (31 - column)); };
	unsigned tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
	for (int i = 24; i >= 0; i -= 8) tile[position(ty + i, tx)] = idata[(size_t)(blockIdx.y * TILE + ty + i) * n + blockIdx.x * TILE + tx];
	__syncthreads();
#pragma unroll
	for (int i = 24; i >= 0; i -= 8) odata[(size_t)(blockIdx.x * TILE + ty + i) * n + blockIdx.y * TILE + tx] = tile[position(tx, ty + i)];
}
