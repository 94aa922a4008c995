// A tree in shared memory.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	__shared__ float parts[32];
	int j = blockIdx.x, i = blockIdx.y, lane = threadIdx.x;
	float sum = 0;
	for (int k = lane; k < n; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	parts[lane] = sum;
	for (int d = 16; d > 0; d >>= 1) {
		__syncwarp();
		if (lane < d)
			parts[lane] += parts[lane + d];
	}
	if (lane == 0)
		C[i * n + j] = parts[0];
}
