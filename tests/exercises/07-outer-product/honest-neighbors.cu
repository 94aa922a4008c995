// neighboring rows and columns by float4
__global__ void outer_product(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[16][68], Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
#pragma unroll
		for (int i = 0; i < 64; i += 16) As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
#pragma unroll
		for (int j = 0; j < 64; j += 16) Bs[ty][tx + j] = B[(b + ty) * n + x + tx + j];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 a = *(float4 *)&As[k][4 * ty], c = *(float4 *)&Bs[k][4 * tx]; float av[4] = {a.x, a.y, a.z, a.w}, cv[4] = {c.x, c.y, c.z, c.w};
			for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) sum[i][j] += av[i] * cv[j];
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
#pragma unroll
		for (int j = 0; j < 4; j++) C[(y + 4 * ty + i) * n + x + 4 * tx + j] = sum[i][j];
}
