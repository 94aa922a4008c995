// B's tile stays as it is stored; the padded rows are read down a column.
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[32][32], Bs[32][33];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx, *b = Bt + (blockIdx.x * 32 + ty) * n + tx;
	float sum = 0;
	for (int t = 0; t < n; t += 32) {
		As[ty][tx] = a[t];
		Bs[ty][tx] = b[t];
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < 32; k++)
			sum = fmaf(As[ty][k], Bs[tx][k], sum);
		__syncthreads();
	}
	C[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx] = sum;
}
