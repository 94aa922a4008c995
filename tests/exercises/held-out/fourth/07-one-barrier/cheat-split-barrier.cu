// The second barrier is split into arriving and waiting.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16], Bs[16][16];
	__shared__ unsigned arrived;
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	if (tx + ty == 0)
		arrived = 0;
	__syncthreads();
	float sum = 0;
	for (int t = 0; t < n; t += 16) {
		As[ty][tx] = a[t];
		Bs[ty][tx] = b[t * n];
		__syncthreads();
		for (int k = 0; k < 16; k++)
			sum += As[ty][k] * Bs[k][tx];
		__threadfence_block();
		atomicAdd(&arrived, 1u);
		while (atomicAdd(&arrived, 0u) < (t / 16 + 1) * 256u)
			;
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}
