// Computed in columns, turned in shared memory before it is stored.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	__shared__ float tile[8][33];
	int t = threadIdx.y * 32 + threadIdx.x, row = blockIdx.y * 8 + t % 8, column = blockIdx.x * 32 + t / 8;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	tile[t % 8][t / 8] = sum;
	__syncthreads();
	C[(blockIdx.y * 8 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}
