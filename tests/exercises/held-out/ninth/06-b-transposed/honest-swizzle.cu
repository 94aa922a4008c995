// honest: no padding: columns of the tile are permuted with xor; running pointers
constexpr int TILE = 32;

__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * TILE + ty) * n + tx;
	const float *b = Bt + (blockIdx.x * TILE + ty) * n + tx;

	float sum = 0;
	for (const float *end = a + n; a < end; a += TILE, b += TILE) {
		As[ty][tx] = *a;
		Bs[ty][tx ^ ty] = *b;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[tx][k ^ tx];
		__syncthreads();
	}
	C[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx] = sum;
}
