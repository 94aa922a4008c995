__global__ void product(float *C, const float *A, const float *B, int n)
{
	if (threadIdx.x == 0) {
		float sum = 0;
		for (int k = 0; k < n; k++)
			sum += A[blockIdx.y * n + k] * B[k * n + blockIdx.x];
		C[blockIdx.y * n + blockIdx.x] = sum;
	}
}
