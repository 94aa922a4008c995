// honest: four named sums, the element of B in a register
constexpr int TILE = 32, ROWS = 8;

__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[TILE][TILE], Bs[TILE][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
	float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	for (int b = 0; b < n; b += TILE) {
#pragma unroll
		for (int i = 0; i < TILE; i += ROWS) {
			As[ty + i][tx] = A[(y + i) * n + b + tx];
			Bs[ty + i][tx] = B[(b + ty + i) * n + x];
		}
		__syncthreads();
		for (int k = 0; k < TILE; ++k) {
			const float w = Bs[k][tx];
			s0 = fmaf(As[ty][k], w, s0);
			s1 = fmaf(As[ty + 8][k], w, s1);
			s2 = fmaf(As[ty + 16][k], w, s2);
			s3 = fmaf(As[ty + 24][k], w, s3);
		}
		__syncthreads();
	}
	C[y * n + x] = s0;
	C[(y + 8) * n + x] = s1;
	C[(y + 16) * n + x] = s2;
	C[(y + 24) * n + x] = s3;
}
