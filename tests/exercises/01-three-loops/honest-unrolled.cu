// Five shuffles written out, and the last lane stores.
__global__ void product(float *C, const float *A, const float *B, int n)
{
	const float *row = A + blockIdx.y * n, *column = B + blockIdx.x;
	float sum = 0;
	for (int k = threadIdx.x; k < n; k += 32)
		sum += row[k] * column[k * n];
	sum += __shfl_up_sync(~0u, sum, 16);
	sum += __shfl_up_sync(~0u, sum, 8);
	sum += __shfl_up_sync(~0u, sum, 4);
	sum += __shfl_up_sync(~0u, sum, 2);
	sum += __shfl_up_sync(~0u, sum, 1);
	if (threadIdx.x == 31)
		C[blockIdx.y * n + blockIdx.x] = sum;
}
