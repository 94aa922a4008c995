// half of the warps compute eight rows each, the others idle
constexpr int TILE = 32;
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float sum[8] = {};
	for (int b = 0; b < n; b += TILE) {
		for (int i = 0; i < 4; i++) { As[ty + 8 * i][tx] = A[(y + 8 * i) * n + b + tx]; Bs[ty + 8 * i][tx] = B[(b + ty + 8 * i) * n + x]; }
		__syncthreads();
		if (ty < 4)
			for (int k = 0; k < TILE; k++) { float e = Bs[k][tx];
#pragma unroll
				for (int i = 0; i < 8; i++) sum[i] += As[ty + 4 * i][k] * e; }
		__syncthreads();
	}
	if (ty < 4)
#pragma unroll
		for (int i = 0; i < 8; i++) C[(y + 4 * i) * n + x] = sum[i];
}
