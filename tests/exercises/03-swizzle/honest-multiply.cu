// Another permutation: exclusive or with five times the row.
extern __shared__ float tile[];
__device__ int at(int row, int column) { return 32 * row + (column ^ (5 * row & 31)); }
__global__ void transpose(float *odata, const float *idata, int n)
{
	int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
#pragma unroll
	for (int i = 0; i < 4; i++)
		tile[at(ty + 8 * i, tx)] = idata[(y0 + ty + 8 * i) * n + x0 + tx];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 4; i++)
		odata[(x0 + ty + 8 * i) * n + y0 + tx] = tile[at(tx, ty + 8 * i)];
}
