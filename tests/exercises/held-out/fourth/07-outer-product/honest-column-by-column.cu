// Four elements of A in registers; B's four come one at a time.
template <int N> __device__ void multiply(float (&sum)[N][N], const float *a, const float *b)
{
	float column[N];
#pragma unroll
	for (int i = 0; i < N; i++)
		column[i] = a[16 * i];
#pragma unroll
	for (int j = 0; j < N; j++) {
		const float e = b[16 * j];
#pragma unroll
		for (int i = 0; i < N; i++)
			sum[i][j] = fmaf(column[i], e, sum[i][j]);
	}
}
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][66], Bs[16][64];
	const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
#pragma unroll
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < 16; k++)
			multiply(sum, &As[k][ty], &Bs[k][tx]);
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
