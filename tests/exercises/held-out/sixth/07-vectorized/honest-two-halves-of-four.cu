constexpr int TILE = 64, DEPTH = 16;
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float4 As[DEPTH][TILE / 4 + 1], Bs[DEPTH][TILE / 4];
	float *as = (float *)As, *bs = (float *)Bs;
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float4 s[4] = {};
	for (int b = 0; b < n; b += DEPTH) {
		for (int i = 0; i < TILE; i += 16) {
			as[tx * (TILE + 4) + ty + i] = A[(y + ty + i) * n + b + tx];
			bs[ty * TILE + tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			const float4 a = As[k][ty], r = Bs[k][tx];
			const float column[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
			for (int i = 0; i < 4; i++) {
				s[i].x += column[i] * r.x;
				s[i].y += column[i] * r.y;
				s[i].z += column[i] * r.z;
				s[i].w += column[i] * r.w;
			}
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		*(float4 *)(C + (y + 4 * ty + i) * n + x + 4 * tx) = s[i];
}
