// four partial sums
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	unsigned t = (blockIdx.y * gridDim.x + blockIdx.x) * 8 + threadIdx.y;
	unsigned row = t / (n / 32), column = t % (n / 32) * 32 + threadIdx.x;
	float s[4] = {};
	for (int k = 0; k < n; k += 4)
#pragma unroll
		for (int j = 0; j < 4; j++) s[j] += A[row * n + k + j] * B[(k + j) * n + column];
	C[row * n + column] = (s[0] + s[1]) + (s[2] + s[3]);
}
