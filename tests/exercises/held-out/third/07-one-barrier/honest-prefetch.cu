// The next elements wait in registers until the products are done.
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
		float next_a = 0, next_b = 0;
		if (t < n) {
			next_a = a[t];
			next_b = b[t * n];
		}
		for (int k = 0; k < TILE; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
		As[now ^ 1][ty][tx] = next_a;
		Bs[now ^ 1][ty][tx] = next_b;
		__syncthreads();
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
