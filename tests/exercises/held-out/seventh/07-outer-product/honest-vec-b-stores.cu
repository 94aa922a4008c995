// four neighboring columns as a float4, also stored as one
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
for (int k = 0; k < DEPTH; k++) { float a[4]; float4 c = *(const float4 *)&Bs[k][4 * tx];
#pragma unroll
for (int i = 0; i < 4; i++) a[i] = As[k][ty + 16 * i];
#pragma unroll
for (int i = 0; i < 4; i++) { sum[i][0] += a[i] * c.x; sum[i][1] += a[i] * c.y; sum[i][2] += a[i] * c.z; sum[i][3] += a[i] * c.w; } }
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		*(float4 *)&C[(y + ty + 16 * i) * n + x + 4 * tx] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
