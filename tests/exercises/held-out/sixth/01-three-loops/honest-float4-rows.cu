__global__ void product(float *C, const float *A, const float *B, int n)
{
	const int j = blockIdx.x, i = blockIdx.y, t = threadIdx.x;
	float s0 = 0, s1 = 0;
	int k = t;
	for (; k + 32 < n; k += 64) {
		s0 += A[i * n + k] * B[k * n + j];
		s1 += A[i * n + k + 32] * B[(k + 32) * n + j];
	}
	if (k < n)
		s0 += A[i * n + k] * B[k * n + j];
	float s = s0 + s1;
#pragma unroll
	for (int m = 1; m < 32; m *= 2)
		s += __shfl_xor_sync(0xffffffff, s, m);
	if (t == 31)
		C[i * n + j] = s;
}
