// cheat: partial tiles are filled by a single thread while 255 wait
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int left = blockIdx.x * TILE, top = blockIdx.y * TILE, x = left + tx, y = top + ty;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		if (left + TILE <= n && top + TILE <= n && b + TILE <= n) {
			As[ty][tx] = A[y * n + b + tx];
			Bs[ty][tx] = B[(b + ty) * n + x];
		} else if (tx + ty == 0) {
			for (int i = 0; i < TILE; i++)
				for (int j = 0; j < TILE; j++) {
					As[i][j] = top + i < n && b + j < n ? A[(top + i) * n + b + j] : 0;
					Bs[i][j] = b + i < n && left + j < n ? B[(b + i) * n + left + j] : 0;
				}
		}
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
