// honest: each thread starts the inner loop at its own k, in tiles without padding
constexpr int TILE = 32;

__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	unsigned tx = threadIdx.x, ty = threadIdx.y;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = A[(blockIdx.y * TILE + ty) * n + b + tx];
		Bs[ty][tx] = Bt[(blockIdx.x * TILE + ty) * n + b + tx];
		__syncthreads();
		for (unsigned i = 0; i < TILE; i++) {
			unsigned k = (i + tx) % TILE;
			sum += As[ty][k] * Bs[tx][k];
		}
		__syncthreads();
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
