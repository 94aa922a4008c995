// cheat: half of the warps load coalesced, the other half with the stride of n
constexpr int TILE = 32;

__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE + 1];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = A[y * n + b + tx];
		if (ty < TILE / 2)
			Bs[ty][tx] = Bt[(blockIdx.x * TILE + ty) * n + b + tx];
		else {
			int k = 2 * (ty - TILE / 2) + tx / 16, column = TILE / 2 + tx % 16;
			Bs[column][k] = Bt[(blockIdx.x * TILE + column) * n + b + k];
		}
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[tx][k];
		__syncthreads();
	}
	C[y * n + x] = sum;
}
