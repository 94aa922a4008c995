// cheat: the tiles are kept, but partial ones are filled by one thread of the block, element by element
constexpr int TILE = 16;

__global__ void any_size(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
		if (left + TILE <= n && top + TILE <= n && b + TILE <= n) {
			As[ty][tx] = A[y * n + b + tx];
			Bs[ty][tx] = B[(b + ty) * n + x];
		} else if (tx == 0 && ty == 0)
			for (int r = 0; r < TILE; r++)
				for (int c = 0; c < TILE; c++) {
					As[r][c] = top + r < n && b + c < n ? A[(top + r) * n + b + c] : 0;
					Bs[r][c] = b + r < n && left + c < n ? B[(b + r) * n + left + c] : 0;
				}
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	if (x < n && y < n)
		C[y * n + x] = sum;
}
