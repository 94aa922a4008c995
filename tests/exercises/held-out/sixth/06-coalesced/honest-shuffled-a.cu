__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k += 32) {
		float own = A[r * n + k + threadIdx.x];
#pragma unroll
		for (int j = 0; j < 32; j++)
			sum = fmaf(__shfl_sync(~0u, own, j), B[(k + j) * n + c], sum);
	}
	C[r * n + c] = sum;
}
