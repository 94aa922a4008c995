// Another padding, chosen by trying: 3 tx + ty still meets in some banks.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][35];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int t = 0; t < n; t += 16) {
#pragma unroll
		for (int i = 0; i < 32; i += 4)
			As[tx][ty + i] = a[i * n + t];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float element = *b;
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][i] * element;
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 32; i++)
		C[(blockIdx.y * 32 + i) * n + blockIdx.x * 64 + column] = sum[i];
}
