__global__ void padding(float *C, const float *A, const float *B, int n)
{
	// 16 rows with a stride of 34 words use the even banks; the neighbors use the odd ones.
	__shared__ float As[16][34];
	const int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;

	float sum[32] = {};
	for (int t = 0; t < n; t += 16) {
#pragma unroll
		for (int i = 0; i < 32; i += 4)
			As[tx][ty + i] = a[i * n + t];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			const float e = b[(t + k) * n];
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] = fmaf(As[k][i], e, sum[i]);
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++)
		c[i * n] = sum[i];
}
