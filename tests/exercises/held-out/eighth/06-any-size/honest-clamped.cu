// honest: clamps indices to the matrix and multiplies what is too much by zero
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	int cx = min(x, n - 1), cy = min(y, n - 1);
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		float a = A[cy * n + min(b + tx, n - 1)];
		float w = B[min(b + ty, n - 1) * n + cx];
		As[ty][tx] = b + tx < n ? a : 0.0f;
		Bs[ty][tx] = b + ty < n ? w : 0.0f;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
