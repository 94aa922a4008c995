// cheat: one barrier with two pairs, but each iteration fills both pairs from global memory: every element is loaded twice
constexpr int TILE = 16;

__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ volatile float As[4][TILE][TILE], Bs[4][TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	const volatile float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const volatile float *b = B + ty * n + blockIdx.x * TILE + tx;
	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		int now = t / TILE % 2, next = t + TILE < n ? t + TILE : t;
		As[now][ty][tx] = a[t];
		Bs[now][ty][tx] = b[t * n];
		As[2 + now][ty][tx] = a[next];
		Bs[2 + now][ty][tx] = b[next * n];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
