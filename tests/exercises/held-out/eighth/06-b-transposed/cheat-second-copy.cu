// cheat: coalesced into one tile, then copied transposed into another, with a 32-way conflict per copy
constexpr int TILE = 32;

__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE], raw[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = A[y * n + b + tx];
		raw[ty][tx] = Bt[(blockIdx.x * TILE + ty) * n + b + tx];
		__syncthreads();
		Bs[ty][tx] = raw[tx][ty];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[y * n + x] = sum;
}
