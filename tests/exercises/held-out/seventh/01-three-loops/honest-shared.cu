// a tree in shared memory
__global__ void product(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[32];
	int t = threadIdx.x;
	float sum = 0;
	for (int k = t; k < n; k += 32) sum += A[blockIdx.y * n + k] * B[k * n + blockIdx.x];
	s[t] = sum;
	for (int d = 16; d; d /= 2) {
		__syncthreads();
		if (t < d) s[t] += s[t + d];
	}
	if (t == 0) C[blockIdx.y * n + blockIdx.x] = s[0];
}
