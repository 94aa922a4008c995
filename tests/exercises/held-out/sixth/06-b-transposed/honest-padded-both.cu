constexpr int T = 32;
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[T][T + 1], Bs[T][T + 1];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (size_t)(blockIdx.y * T + ty) * n + tx, *b = Bt + (size_t)(blockIdx.x * T + ty) * n + tx;
	float sum = 0;
	for (int left = n; left > 0; left -= T, a += T, b += T) {
		As[ty][tx] = *a;
		Bs[tx][ty] = *b;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < T; k++)
			sum = fmaf(As[ty][k], Bs[k][tx], sum);
		__syncthreads();
	}
	C[(size_t)(blockIdx.y * T + ty) * n + blockIdx.x * T + tx] = sum;
}
