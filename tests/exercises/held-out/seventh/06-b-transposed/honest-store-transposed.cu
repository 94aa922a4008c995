// transposed at the store, padded, pointers
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[32][32], Bs[32][33];
	unsigned tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (size_t)(blockIdx.y * 32 + ty) * n + tx, *b = Bt + (size_t)(blockIdx.x * 32 + ty) * n + tx;
	float sum = 0;
	for (const float *end = a + n; a != end; a += 32, b += 32) {
		As[ty][tx] = *a; Bs[tx][ty] = *b;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 32; k++) sum = fmaf(As[ty][k], Bs[k][tx], sum);
		__syncthreads();
	}
	C[(size_t)(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx] = sum;
}
