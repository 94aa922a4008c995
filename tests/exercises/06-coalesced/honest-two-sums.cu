// Two partial sums, for even and for odd k.
__global__ void coalesced(float *C, const float *__restrict__ A, const float *__restrict__ B, int n)
{
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	float even = 0, odd = 0;
	for (int k = 0; k < n; k += 2) {
		even += A[y * n + k] * B[k * n + x];
		odd += A[y * n + k + 1] * B[(k + 1) * n + x];
	}
	C[y * n + x] = even + odd;
}
