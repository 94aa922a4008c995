// Computes as before; only the store to C is coalesced, through a tile.
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	__shared__ float tile[32][9];
	int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 8 + threadIdx.y;
	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	tile[threadIdx.x][threadIdx.y] = sum;
	__syncthreads();
	int t = threadIdx.y * 32 + threadIdx.x;
	C[(blockIdx.x * 32 + t / 8) * n + blockIdx.y * 8 + t % 8] = tile[t / 8][t % 8];
}
