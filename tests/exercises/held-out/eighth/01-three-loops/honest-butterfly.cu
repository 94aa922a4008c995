// honest: xor shuffles give the total to all lanes; the last one stores
__global__ void product(float *C, const float *A, const float *B, int n)
{
	const float *a = A + blockIdx.y * n, *b = B + blockIdx.x;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += warpSize)
		sum = fmaf(a[k], b[k * n], sum);
#pragma unroll
	for (int mask = 1; mask < 32; mask <<= 1)
		sum += __shfl_xor_sync(0xffffffffu, sum, mask);
	if (threadIdx.x == 31)
		C[blockIdx.y * n + blockIdx.x] = sum;
}
