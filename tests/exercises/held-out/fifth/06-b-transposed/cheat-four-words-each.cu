// A float4 per thread of a quarter of the warps, each thread in a column of its own: 32 sectors per request.
constexpr int TILE = 32;
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = A[y * n + b + tx];
		if (ty < 8) {
			float4 four = *(const float4 *)&Bt[x * n + b + 4 * ty];
			Bs[4 * ty][tx] = four.x;
			Bs[4 * ty + 1][tx] = four.y;
			Bs[4 * ty + 2][tx] = four.z;
			Bs[4 * ty + 3][tx] = four.w;
		}
		__syncthreads();
		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[y * n + x] = sum;
}
