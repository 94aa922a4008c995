// One warp stores all of A's tile, row by row, conflict-free but by loads with stride n.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][33];
	int tid = threadIdx.y * 16 + threadIdx.x;
	int column = blockIdx.x * 64 + tid, row = blockIdx.y * 32;
	float sum[32] = {};
	for (int t = 0; t < n; t += 16) {
		if (tid < 32)
			for (int k = 0; k < 16; k++)
				As[k][tid] = A[(row + tid) * n + t + k];
		__syncthreads();
		for (int k = 0; k < 16; k++) {
			float e = B[(t + k) * n + column];
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][i] * e;
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 32; i++)
		C[(row + i) * n + column] = sum[i];
}
