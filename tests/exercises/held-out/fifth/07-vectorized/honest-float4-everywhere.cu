// 16-byte accesses wherever there are four neighbors: loads of B, of both tiles, and stores of C.
constexpr int TILE = 64, DEPTH = 16;
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[DEPTH][TILE + 4], Bs[DEPTH][TILE];
	const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE, y = blockIdx.y * TILE;
	float sum[4][4] = {};
	for (int t = 0; t < n; t += DEPTH) {
#pragma unroll
		for (int i = 0; i < TILE; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + t + tx];
		*reinterpret_cast<float4 *>(&Bs[ty][4 * tx]) = *reinterpret_cast<const float4 *>(&B[(t + ty) * n + x + 4 * tx]);
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			const float4 a4 = *reinterpret_cast<const float4 *>(&As[k][4 * ty]);
			const float4 b4 = *reinterpret_cast<const float4 *>(&Bs[k][4 * tx]);
			const float a[4] = {a4.x, a4.y, a4.z, a4.w};
#pragma unroll
			for (int i = 0; i < 4; i++) {
				sum[i][0] += a[i] * b4.x;
				sum[i][1] += a[i] * b4.y;
				sum[i][2] += a[i] * b4.z;
				sum[i][3] += a[i] * b4.w;
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		*reinterpret_cast<float4 *>(&C[(y + 4 * ty + i) * n + x + 4 * tx]) =
			make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
