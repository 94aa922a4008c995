// C coalesced through a shared tile, A still read by columns
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	__shared__ float s[32][9];
	int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.x * 32 + tx, column = blockIdx.y * 8 + ty;
	float sum = 0;
	for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + column];
	s[tx][ty] = sum;
	__syncthreads();
	int t = ty * 32 + tx;
	C[(blockIdx.x * 32 + t / 8) * n + blockIdx.y * 8 + t % 8] = s[t / 8][t % 8];
}
