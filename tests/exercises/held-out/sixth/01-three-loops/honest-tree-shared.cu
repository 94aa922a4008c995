__global__ void product(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[32];
	int t = threadIdx.x, j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = n - 1 - t; k >= 0; k -= 32)
		sum += A[i * n + k] * B[k * n + j];
	s[t] = sum;
	__syncwarp();
	for (int d = 16; d > 0; d >>= 1) {
		if (t < d)
			s[t] += s[t + d];
		__syncwarp();
	}
	if (t == 0)
		C[i * n + j] = s[0];
}
