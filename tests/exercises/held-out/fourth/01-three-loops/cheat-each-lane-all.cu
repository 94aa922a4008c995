// Each lane computes the whole sum, and one stores it.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[i * n + k] * B[k * n + j];
	if (threadIdx.x == 31)
		C[i * n + j] = sum;
}
