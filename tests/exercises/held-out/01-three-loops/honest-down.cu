__device__ float sum_of_warp(float value)
{
	for (int d = 16; d; d >>= 1)
		value += __shfl_down_sync(0xffffffffu, value, d);
	return value;
}

__global__ void product(float *C, const float *A, const float *B, int n)
{
	const float *a = A + blockIdx.y * n, *b = B + blockIdx.x;
	float sum = 0.0f;
	for (int k = 31 - threadIdx.x; k < n; k += 32)
		sum = fmaf(a[k], b[k * n], sum);
	sum = sum_of_warp(sum);
	if (!threadIdx.x)
		C[blockIdx.y * n + blockIdx.x] = sum;
}
