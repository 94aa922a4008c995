// B's tile is transposed as it is stored, into rows of 33 words, and read along its rows.
constexpr int TILE = 32;
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE + 1];
	const int tx = threadIdx.x, ty = threadIdx.y, y = blockIdx.y * TILE + ty;
	const float *a = A + y * n + tx, *b = Bt + (blockIdx.x * TILE + ty) * n + tx;
	float sum = 0;
	for (int t = 0; t < n; t += TILE) {
		As[ty][tx] = a[t];
		Bs[tx][ty] = b[t];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[y * n + blockIdx.x * TILE + tx] = sum;
}
