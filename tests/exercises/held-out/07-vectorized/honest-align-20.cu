// Rows of 68 words keep float4 aligned; each thread has 4 × 4 neighbors.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[16][68];
	__shared__ __align__(16) float Bs[16][64];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int x = blockIdx.x * 64, y = blockIdx.y * 64;

	float c[4][4] = {};
	for (int b = 0; b < n; b += 16) {
#pragma unroll
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			const float4 p = *reinterpret_cast<const float4 *>(&As[k][4 * ty]);
			const float4 q = *reinterpret_cast<const float4 *>(&Bs[k][4 * tx]);
			const float a[4] = {p.x, p.y, p.z, p.w}, e[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					c[i][j] += a[i] * e[j];
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		*reinterpret_cast<float4 *>(&C[(y + 4 * ty + i) * n + x + 4 * tx]) =
			make_float4(c[i][0], c[i][1], c[i][2], c[i][3]);
}
