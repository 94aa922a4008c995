// All threads compute the whole sum.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[blockIdx.y * n + k] * B[k * n + blockIdx.x];
	if (threadIdx.x == 31)
		C[blockIdx.y * n + blockIdx.x] = sum;
}
