// The loop is unrolled by two by hand, each half with its own pair of tiles.
__device__ float sum_of(const float (*As)[16], const float (*Bs)[16], int tx, int ty, float sum)
{
#pragma unroll
	for (int k = 0; k < 16; k++)
		sum += As[ty][k] * Bs[k][tx];
	return sum;
}
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float A0[16][16], B0[16][16], A1[16][16], B1[16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	float sum = 0;
	for (int t = 0; t < n; t += 32) {
		A0[ty][tx] = a[t];
		B0[ty][tx] = b[t * n];
		__syncthreads();
		sum = sum_of(A0, B0, tx, ty, sum);
		if (t + 16 < n) {
			A1[ty][tx] = a[t + 16];
			B1[ty][tx] = b[(t + 16) * n];
			__syncthreads();
			sum = sum_of(A1, B1, tx, ty, sum);
		}
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}
