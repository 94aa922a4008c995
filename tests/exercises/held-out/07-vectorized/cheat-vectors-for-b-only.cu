// B's operands by one 16-byte load, A's by four loads.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][65];
	__shared__ __align__(16) float Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16) {
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
			Bs[ty][tx + i] = B[(b + ty) * n + x + tx + i];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 v = *(float4 *)&Bs[k][4 * tx];
			float e[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
			for (int i = 0; i < 4; i++) {
				float a = As[k][ty + 16 * i];
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += a * e[j];
			}
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + 4 * tx + j] = sum[i][j];
}
