// cheat: each thread reads its own column of B straight from memory, four words at a time, uncoalesced
constexpr int TILE = 32;

__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = A[y * n + b + tx];
		__syncthreads();
		const float4 *column = (const float4 *)(Bt + x * n + b);
		for (int k = 0; k < TILE; k += 4) {
			float4 f = column[k / 4];
			sum += As[ty][k] * f.x + As[ty][k + 1] * f.y + As[ty][k + 2] * f.z + As[ty][k + 3] * f.w;
		}
		__syncthreads();
	}
	C[y * n + x] = sum;
}
