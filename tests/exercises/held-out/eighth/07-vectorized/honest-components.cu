// honest: float4 variables and their components, without arrays of operands
constexpr int TILE = 64, DEPTH = 16;

__device__ __forceinline__ void row(float4 &sum, float a, const float4 &w)
{
	sum.x += a * w.x;
	sum.y += a * w.y;
	sum.z += a * w.z;
	sum.w += a * w.w;
}

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4], Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float4 r0 = {}, r1 = {}, r2 = {}, r3 = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16)
			Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < DEPTH; k++) {
			const float4 a = reinterpret_cast<const float4 *>(As[k])[ty];
			const float4 w = reinterpret_cast<const float4 *>(Bs[k])[tx];
			row(r0, a.x, w);
			row(r1, a.y, w);
			row(r2, a.z, w);
			row(r3, a.w, w);
		}
		__syncthreads();
	}
	float4 *to = (float4 *)(C + (y + 4 * ty) * n + x) + tx;
	to[0] = r0;
	to[n / 4] = r1;
	to[n / 2] = r2;
	to[3 * n / 4] = r3;
}
