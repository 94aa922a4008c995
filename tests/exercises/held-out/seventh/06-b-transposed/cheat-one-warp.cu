// one warp loads both tiles for the block
constexpr int TILE = 32;
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE + 1];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		if (ty == 0) for (int r = 0; r < TILE; r++) {
			As[r][tx] = A[(y + r) * n + b + tx];
			Bs[r][tx] = Bt[(blockIdx.x * TILE + r) * n + b + tx];
		}
		__syncthreads();
		for (int k = 0; k < TILE; k++) sum += As[ty][k] * Bs[tx][k];
		__syncthreads();
	}
	C[y * n + x] = sum;
}
