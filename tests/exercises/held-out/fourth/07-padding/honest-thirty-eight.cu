// Any pitch that is 2 times an odd number will do: 38 words.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16 * 38];
	const int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int t = 0; t < n; t += 16) {
#pragma unroll
		for (int i = 0; i < 8; i++)
			As[tx * 38 + ty + 4 * i] = a[4 * i * n + t];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			const float e = b[(t + k) * n];
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] = fmaf(As[k * 38 + i], e, sum[i]);
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 32; i++)
		C[(blockIdx.y * 32 + i) * n + blockIdx.x * 64 + column] = sum[i];
}
