__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int t = threadIdx.y * 32 + threadIdx.x, c = blockIdx.x * 32 + (t & 31), r = blockIdx.y * 8 + (t >> 5);
	float even = 0, odd = 0;
	for (int k = 0; k < n; k += 2) {
		even += A[r * n + k] * B[k * n + c];
		odd += A[r * n + k + 1] * B[(k + 1) * n + c];
	}
	C[r * n + c] = even + odd;
}
