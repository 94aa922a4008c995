extern __shared__ float tile[];
__device__ __forceinline__ unsigned at(unsigned row, unsigned column) { return row << 5 | (column - row & 31); }
__global__ void transpose(float *odata, const float *idata, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
	for (int i = 24; i >= 0; i -= 8)
		tile[at(threadIdx.y + i, threadIdx.x)] = idata[(size_t)(y + i) * n + x];
	__syncthreads();
	float *to = odata + (size_t)blockIdx.x * 32 * n + blockIdx.y * 32;
#pragma unroll
	for (int i = 0; i < 32; i += 8)
		to[(threadIdx.y + i) * n + threadIdx.x] = tile[at(threadIdx.x, threadIdx.y + i)];
}
