// honest: partial sums in shared memory, added in a tree with a barrier per step
__global__ void product(float *C, const float *A, const float *B, int n)
{
	__shared__ float part[32];
	int j = blockIdx.x, i = blockIdx.y, t = threadIdx.x;
	float sum = 0;
	for (int k = t; k < n; k += 32)
		sum += A[i * n + k] * B[k * n + j];
	part[t] = sum;
	__syncthreads();
	for (int d = 16; d > 0; d >>= 1) {
		if (t < d)
			part[t] += part[t + d];
		__syncthreads();
	}
	if (t == 0)
		C[i * n + j] = part[0];
}
