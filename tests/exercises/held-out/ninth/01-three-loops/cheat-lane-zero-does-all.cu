// cheat: one thread computes the whole element, 31 do nothing
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	if (threadIdx.x == 0) {
		float sum = 0;
		for (int k = 0; k < n; k++)
			sum += A[i * n + k] * B[k * n + j];
		C[i * n + j] = sum;
	}
}
