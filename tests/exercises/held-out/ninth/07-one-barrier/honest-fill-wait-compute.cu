// honest: no tiles before the loop: fill one pair, wait, compute; the next iteration fills the other
constexpr int TILE = 16;

__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = B + ty * n + blockIdx.x * TILE + tx;

	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		const int pair = (t / TILE) & 1;
		As[pair][ty][tx] = a[t];
		Bs[pair][ty][tx] = b[t * n];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[pair][ty][k] * Bs[pair][k][tx];
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
