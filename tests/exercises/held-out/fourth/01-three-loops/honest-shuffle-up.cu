// An inclusive scan through shuffles; the last lane has the sum.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	const float *row = A + blockIdx.y * n, *column = B + blockIdx.x;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += warpSize)
		sum = fmaf(row[k], column[k * n], sum);
#pragma unroll
	for (int d = 1; d < 32; d *= 2) {
		float below = __shfl_up_sync(0xffffffff, sum, d);
		if (threadIdx.x >= d)
			sum += below;
	}
	if (threadIdx.x == 31)
		C[blockIdx.y * n + blockIdx.x] = sum;
}
