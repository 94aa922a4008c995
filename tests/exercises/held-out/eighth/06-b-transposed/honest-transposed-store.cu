// honest: transposes while storing, so that the inner loop stays as it is
constexpr int TILE = 32;

__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE + 1];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = Bt + (blockIdx.x * TILE + ty) * n + tx;
	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		As[ty][tx] = a[t];
		Bs[tx][ty] = b[t];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
