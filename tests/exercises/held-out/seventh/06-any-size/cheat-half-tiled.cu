// a tile of A only; B from global memory
__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
	float sum = 0;
	for (int b = 0; b < n; b += 16) {
		As[ty][tx] = y < n && b + tx < n ? A[y * n + b + tx] : 0;
		__syncthreads();
		if (x < n) for (int k = 0; k < min(16, n - b); k++) sum += As[ty][k] * B[(b + k) * n + x];
		__syncthreads();
	}
	if (x < n && y < n) C[y * n + x] = sum;
}
