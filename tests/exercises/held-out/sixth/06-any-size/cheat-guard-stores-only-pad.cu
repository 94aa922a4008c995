__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	float sum = 0;
	if (x < n && y < n) {
		for (int k = 0; k < n; k++)
			sum += A[y * n + k] * B[k * n + x];
		C[y * n + x] = sum;
	}
}
