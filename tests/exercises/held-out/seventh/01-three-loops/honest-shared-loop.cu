// shared tree with the barrier after the addition
__global__ void product(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[32];
	int t = threadIdx.x, i = blockIdx.y, j = blockIdx.x;
	s[t] = 0;
	for (int k = t; k < n; k += 32) s[t] += A[i * n + k] * B[k * n + j];
	__syncthreads();
	for (int d = 16; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
	if (t == 0) C[i * n + j] = s[0];
}
