// B by one load of 16 bytes, A by four loads.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][65];
	__shared__ float4 Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		Bs[ty][tx] = *(const float4 *)&B[(b + ty) * n + x + 4 * tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 e = Bs[k][tx];
			float c[4] = {e.x, e.y, e.z, e.w};
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					sum[i][j] += As[k][ty + 16 * i] * c[j];
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			C[(y + ty + 16 * i) * n + x + 4 * tx + j] = sum[i][j];
}
