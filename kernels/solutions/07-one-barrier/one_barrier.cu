// The next tiles go into the pair that no thread reads. The barrier at the end
// of an iteration ends the reading of one pair and the writing of the other.
//
// C = A · B in blocks of 16 × 16 threads; n is a multiple of 16.
constexpr int TILE = 16;

__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = B + ty * n + blockIdx.x * TILE + tx;

	float sum = 0;
	int now = 0;
	As[now][ty][tx] = a[0];
	Bs[now][ty][tx] = b[0];
	__syncthreads();
	for (int t = TILE; t <= n; t += TILE, now ^= 1) {
		if (t < n) {
			As[now ^ 1][ty][tx] = a[t];
			Bs[now ^ 1][ty][tx] = b[t * n];
		}
		for (int k = 0; k < TILE; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
		__syncthreads();
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
