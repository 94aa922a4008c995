// Without tiles, one barrier is more than enough.
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float row[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int t = 0; t < n; t += 16) {
		row[ty][tx] = A[y * n + t + tx];
		__syncwarp();
		for (int k = 0; k < 16; k++)
			sum += row[ty][k] * B[(t + k) * n + x];
		__syncthreads();
	}
	C[y * n + x] = sum;
}
