// a tree in shared memory without conditions, syncwarp
__global__ void product(float *C, const float *A, const float *B, int n)
{
	__shared__ volatile float s[64];
	int t = threadIdx.x;
	float sum = 0;
	for (int k = t; k < n; k += 32) sum += A[blockIdx.y * n + k] * B[k * n + blockIdx.x];
	s[t + 32] = 0;
	for (int d = 16; d; d /= 2) {
		s[t] = sum;
		__syncwarp();
		sum += s[t + d];
		__syncwarp();
	}
	if (t == 0) C[blockIdx.y * n + blockIdx.x] = sum;
}
