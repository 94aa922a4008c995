// the lanes add to C in turn: 32 serialized updates in memory
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += 32) sum += A[i * n + k] * B[k * n + j];
	for (int lane = 0; lane < 32; lane++) {
		if (threadIdx.x == lane) C[i * n + j] += sum;
		__syncwarp();
	}
}
