// The lanes add to C one after the other.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	for (int turn = 0; turn < 32; turn++) {
		if (threadIdx.x == turn)
			C[i * n + j] += sum;
		__syncthreads();
	}
}
