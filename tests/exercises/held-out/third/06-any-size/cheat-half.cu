// The upper half of the threads computes two rows.
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum = 0, low = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = y < n && b + tx < n ? A[y * n + b + tx] : 0;
		Bs[ty][tx] = b + ty < n && x < n ? B[(b + ty) * n + x] : 0;
		__syncthreads();
		if (ty < 8)
			for (int k = 0; k < TILE; k++) {
				sum += As[ty][k] * Bs[k][tx];
				low += As[ty + 8][k] * Bs[k][tx];
			}
		__syncthreads();
	}
	if (ty < 8 && x < n && y + 8 < n)
		C[(y + 8) * n + x] = low;
	if (ty < 8 && x < n && y < n)
		C[y * n + x] = sum;
}
