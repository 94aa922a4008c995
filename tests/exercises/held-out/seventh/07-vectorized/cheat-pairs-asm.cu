// two words at a time, in PTX so that the compiler cannot merge them
__device__ __forceinline__ void load(float *to, const float *from)
{
	for (int h = 0; h < 4; h += 2)
		asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(to[h]), "=f"(to[h + 1]) : "r"((unsigned)__cvta_generic_to_shared(from + h)) : "memory");
}
constexpr int TILE = 64, DEPTH = 16;
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4]; __shared__ __align__(16) float Bs[DEPTH][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		for (int j = 0; j < TILE; j += 16) Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
for (int k = 0; k < DEPTH; k++) { float a[4], c[4];
load(a, &As[k][4 * ty]); load(c, &Bs[k][4 * tx]);
#pragma unroll
for (int i = 0; i < 4; i++)
#pragma unroll
for (int j = 0; j < 4; j++) sum[i][j] += a[i] * c[j];
}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++)
			C[(y + 4 * ty + i) * n + x + 4 * tx + j] = sum[i][j];
}

