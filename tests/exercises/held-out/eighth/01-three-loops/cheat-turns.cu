// cheat: the lanes take turns at adding to the element in memory: 32 loads and stores of C instead of one store
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	volatile float *c = C + i * n + j;
	for (int turn = 0; turn < 32; turn++) {
		if (threadIdx.x == turn)
			*c = (turn ? *c : 0.0f) + sum;
		__syncwarp();
	}
}
