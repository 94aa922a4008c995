// The next tiles are on their way in registers while the present ones are used.
__device__ float element(const float *M, int row, int column, int n)
{
	return row < n && column < n ? M[row * n + column] : 0.0f;
}
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][17], Bs[16][17];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float a = element(A, y, tx, n), b = element(B, ty, x, n), sum = 0;
	for (int t = 16; t < n + 16; t += 16) {
		As[ty][tx] = a;
		Bs[ty][tx] = b;
		__syncthreads();
		a = element(A, y, t + tx, n);
		b = element(B, t + ty, x, n);
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum = fmaf(As[ty][k], Bs[k][tx], sum);
		__syncthreads();
	}
	if (y < n && x < n)
		C[y * n + x] = sum;
}
