// exclusive or instead of padding
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[1024], Bs[1024];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum = 0;
	for (int b = n - 32; b >= 0; b -= 32) {
		As[ty * 32 + tx] = A[y * n + b + tx];
		Bs[ty * 32 + (tx ^ ty)] = Bt[(blockIdx.x * 32 + ty) * n + b + tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 32; k++) sum += As[ty * 32 + k] * Bs[tx * 32 + (k ^ tx)];
		__syncthreads();
	}
	C[y * n + x] = sum;
}
