// The next tiles' words wait in registers while the block computes, and go to the other pair before the one barrier.
constexpr int TILE = 16;
__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = B + ty * n + blockIdx.x * TILE + tx;
	As[0][ty][tx] = a[0];
	Bs[0][ty][tx] = b[0];
	__syncthreads();
	float sum = 0;
	for (int t = TILE, now = 0; t <= n; t += TILE, now ^= 1) {
		float next_a = 0, next_b = 0;
		if (t < n) {
			next_a = a[t];
			next_b = b[t * n];
		}
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
		if (t < n) {
			As[now ^ 1][ty][tx] = next_a;
			Bs[now ^ 1][ty][tx] = next_b;
			__syncthreads();
		}
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
