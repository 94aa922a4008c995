// The warps still read a column of A; only the results are turned in shared memory before they are stored.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[32][9];
	int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 8 + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	s[threadIdx.x][threadIdx.y] = sum;
	__syncthreads();
	int t = threadIdx.y * 32 + threadIdx.x;
	C[(blockIdx.x * 32 + t / 8) * n + blockIdx.y * 8 + t % 8] = s[t / 8][t % 8];
}
