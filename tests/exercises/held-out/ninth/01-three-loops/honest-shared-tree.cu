// honest: a tree in shared memory with barriers instead of shuffles
__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	__shared__ float sums[32];
	int t = threadIdx.x;
	float sum = 0;
	for (int k = t; k < n; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	sums[t] = sum;
	__syncthreads();
	for (int d = 16; d > 0; d >>= 1) {
		if (t < d)
			sums[t] += sums[t + d];
		__syncthreads();
	}
	if (t == 0)
		C[i * n + j] = sums[0];
}
