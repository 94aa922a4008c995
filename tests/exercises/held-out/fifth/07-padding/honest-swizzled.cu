// No padding: a column's position is its number, exclusive or twice the row, so 16 rows and 2 columns use 32 banks.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][32];
	const int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int t = 0; t < n; t += 16) {
#pragma unroll
		for (int i = 0; i < 32; i += 4)
			As[tx][(ty + i) ^ 2 * tx] = a[i * n + t];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			const float element = b[(t + k) * n];
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][i ^ 2 * k] * element;
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 32; i++)
		C[(blockIdx.y * 32 + i) * n + blockIdx.x * 64 + column] = sum[i];
}
