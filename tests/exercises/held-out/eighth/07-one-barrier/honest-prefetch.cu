// honest: the next elements wait in registers while the current tiles are used
constexpr int TILE = 16;

__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = B + ty * n + blockIdx.x * TILE + tx;
	float sum = 0;
	float next_a = a[0], next_b = b[0];
	for (int t = 0; t < n; t += TILE) {
		const int now = t / TILE % 2;
		As[now][ty][tx] = next_a;
		Bs[now][ty][tx] = next_b;
		__syncthreads();
		if (t + TILE < n) {
			next_a = a[t + TILE];
			next_b = b[(t + TILE) * n];
		}
		for (int k = 0; k < TILE; k++)
			sum = fmaf(As[now][ty][k], Bs[now][k][tx], sum);
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
