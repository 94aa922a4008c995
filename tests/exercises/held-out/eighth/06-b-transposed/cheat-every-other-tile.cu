// cheat: only every other tile of B is loaded coalesced
constexpr int TILE = 32;

__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE + 1]; // Bs[column][k]
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = A[y * n + b + tx];
		if (b / TILE % 2 == 0)
			Bs[ty][tx] = Bt[(blockIdx.x * TILE + ty) * n + b + tx];
		else
			Bs[tx][ty] = Bt[x * n + b + ty];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[tx][k];
		__syncthreads();
	}
	C[y * n + x] = sum;
}
