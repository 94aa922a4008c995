// cheat: the mapping stays: only C is stored by rows, after a detour through shared memory; A is still read by columns
__global__ void coalesced(float *C, const float *A, const float *B, int n)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	int column = blockIdx.y * blockDim.y + threadIdx.y;

	float sum = 0;
	for (int k = 0; k < n; k++)
		sum += A[row * n + k] * B[k * n + column];
	__shared__ float c[32][9];
	c[threadIdx.x][threadIdx.y] = sum;
	__syncthreads();
	int tid = threadIdx.y * 32 + threadIdx.x;
	row = blockIdx.x * 32 + tid / 8;
	column = blockIdx.y * 8 + tid % 8;
	C[row * n + column] = c[tid / 8][tid % 8];
}
