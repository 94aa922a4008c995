// each thread reads its column of B directly, as float4
constexpr int TILE = 32;
__global__ void b_transposed(float *C, const float *A, const float *Bt, int n)
{
	__shared__ float As[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum = 0;
	for (int b = 0; b < n; b += TILE) {
		As[ty][tx] = A[y * n + b + tx];
		__syncthreads();
		for (int k = 0; k < TILE; k += 4) {
			float4 v = *(const float4 *)&Bt[x * n + b + k];
			sum += As[ty][k] * v.x + As[ty][k + 1] * v.y + As[ty][k + 2] * v.z + As[ty][k + 3] * v.w;
		}
		__syncthreads();
	}
	C[y * n + x] = sum;
}
