// The warp's number selects the row, the lane the column.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int t = threadIdx.y * blockDim.x + threadIdx.x;
	int column = blockIdx.x * 32 + t % 32, row = blockIdx.y * 8 + t / 32;
	const float *a = A + row * n;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum = fmaf(a[k], B[k * n + column], sum);
	C[row * n + column] = sum;
}
