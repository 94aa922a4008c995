// Written, barrier, used; the pair written next is the other one.
constexpr int TILE = 16;

__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][TILE][TILE], Bs[2][TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = B + ty * n + blockIdx.x * TILE + tx;

	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		int p = t / TILE % 2;
		As[p][ty][tx] = a[t];
		Bs[p][ty][tx] = b[t * n];
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[p][ty][k] * Bs[p][k][tx];
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
