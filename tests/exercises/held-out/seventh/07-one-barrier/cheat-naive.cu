// no tiles, no barriers
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++) sum += A[y * n + k] * B[k * n + x];
	C[y * n + x] = sum;
}
