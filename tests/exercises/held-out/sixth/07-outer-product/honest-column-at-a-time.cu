constexpr int TILE = 64, DEPTH = 16;
struct Sums { float s[4][4]; };
__device__ __forceinline__ void add(Sums &c, const float *a, const float *b)
{
	float x[4];
#pragma unroll
	for (int i = 0; i < 4; i++)
		x[i] = a[16 * i];
#pragma unroll
	for (int j = 0; j < 4; j++) {
		const float y = b[16 * j];
#pragma unroll
		for (int i = 0; i < 4; i++)
			c.s[i][j] += x[i] * y;
	}
}
__global__ void outer_product(float *__restrict__ C, const float *__restrict__ A, const float *__restrict__ B, int n)
{
	__shared__ float As[DEPTH][TILE + 1], Bs[DEPTH][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	Sums c = {};
	for (int b = 0; b < n; b += DEPTH) {
#pragma unroll
		for (int i = 0; i < TILE; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++)
			add(c, &As[k][ty], &Bs[k][tx]);
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(size_t)(y + ty + 16 * i) * n + x + tx + 16 * j] = c.s[i][j];
}
