// The next elements wait in registers during the sum.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][16], Bs[2][16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	float next_a = a[0], next_b = b[0], sum = 0;
	int p = 0;
	for (int t = 0; t < n; t += 16, p = 1 - p) {
		As[p][ty][tx] = next_a;
		Bs[p][ty][tx] = next_b;
		__syncthreads();
		if (t + 16 < n) {
			next_a = a[t + 16];
			next_b = b[(t + 16) * n];
		}
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum += As[p][ty][k] * Bs[p][k][tx];
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}
