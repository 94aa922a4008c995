__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	for (int t = 0; t < 32; t++) {
		if (threadIdx.x == t)
			C[i * n + j] += sum;
		__syncthreads();
	}
}
