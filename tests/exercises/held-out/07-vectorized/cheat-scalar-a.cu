// float4 for A, two float2 for B.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[16][68];
	__shared__ __align__(16) float Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 p = *(float4 *)&As[k][4 * ty];
			float a[4] = {p.x, p.y, p.z, p.w}, e[4];
			for (int j = 0; j < 4; j++)
				e[j] = ((volatile float *)Bs[k])[4 * tx + j];
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a[i] * e[j];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + 4 * ty + i) * n + x + 4 * tx + j] = sum[i][j];
}
