// no tiles: rows and columns from global memory, with bounds
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
	if (x >= n || y >= n) return;
	float sum = 0;
	for (int k = 0; k < n; k++) sum += A[y * n + k] * B[k * n + x];
	C[y * n + x] = sum;
}
