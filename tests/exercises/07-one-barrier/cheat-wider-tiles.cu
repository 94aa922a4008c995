// Not one barrier per iteration but half the iterations: tiles twice as deep, filled and emptied between two barriers.
constexpr int TILE = 16;
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = B + ty * n + blockIdx.x * TILE + tx;
	float sum = 0;
	for (int t = 0; t < n; t += 2 * TILE) {
		for (int half = 0; half < 2 && t + half * TILE < n; half++) {
			As[half][ty][tx] = a[t + half * TILE];
			Bs[half][ty][tx] = b[(t + half * TILE) * n];
		}
		__syncthreads();
		for (int half = 0; half < 2 && t + half * TILE < n; half++)
			for (int k = 0; k < TILE; k++)
				sum += As[half][ty][k] * Bs[half][k][tx];
		__syncthreads();
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
