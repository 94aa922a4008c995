__global__ void product(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[32];
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	s[threadIdx.x] = sum;
	__syncthreads();
	if (threadIdx.x == 0) {
		for (int k = 1; k < 32; k++)
			sum += s[k];
		C[i * n + j] = sum;
	}
}
