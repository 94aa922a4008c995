// structs of four, a helper, k backwards
struct Four { float x, y, z, w; };
__device__ void row(float (&s)[4], float a, Four b) { s[0] = fmaf(a, b.x, s[0]); s[1] = fmaf(a, b.y, s[1]); s[2] = fmaf(a, b.z, s[2]); s[3] = fmaf(a, b.w, s[3]); }
__device__ void multiply(float (&s)[4][4], Four a, Four b) { row(s[0], a.x, b); row(s[1], a.y, b); row(s[2], a.z, b); row(s[3], a.w, b); }
constexpr int TILE = 64, DEPTH = 16;
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 1]; __shared__ __align__(16) float Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16) Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll 2
for (int k = DEPTH - 1; k >= 0; k--) {
	const float *a = &As[k][ty], *c = &Bs[k][tx];
	multiply(sum, Four{a[0], a[16], a[32], a[48]}, Four{c[0], c[16], c[32], c[48]});
}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + tx + 16 * j] = sum[i][j];
}
