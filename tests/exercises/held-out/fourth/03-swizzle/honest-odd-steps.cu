// Each row is rotated by an odd multiple of its number.
extern __shared__ float tile[];
__device__ int place(int row, int column)
{
	return row * 32 + (column + 5 * row) % 32;
}
__global__ void transpose(float *odata, const float *idata, int n)
{
	const float *from = idata + (blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x;
	float *to = odata + (blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x;
#pragma unroll
	for (int i = 0; i < 32; i += 8)
		tile[place(threadIdx.y + i, threadIdx.x)] = from[i * n];
	__syncthreads();
#pragma unroll
	for (int i = 0; i < 32; i += 8)
		to[i * n] = tile[place(threadIdx.x, threadIdx.y + i)];
}
