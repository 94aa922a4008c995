__global__ void one_barrier(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[3][16][16], Bs[3][16][16];
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 16 + tx;
	float sum = 0;
	int tiles = n / 16;
	As[0][ty][tx] = a[0];
	Bs[0][ty][tx] = b[0];
	for (int t = 0; t < tiles; t++) {
		int p = t % 3, q = (t + 1) % 3;
		if (t + 1 < tiles) {
			As[q][ty][tx] = a[(t + 1) * 16];
			Bs[q][ty][tx] = b[(t + 1) * 16 * n];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum += As[p][ty][k] * Bs[p][k][tx];
	}
	C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}
