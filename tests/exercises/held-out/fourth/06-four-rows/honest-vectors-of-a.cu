// Four values of k at a time: A's tile is read in 16 bytes.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ float4 As[32][8];
	__shared__ float Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += 32) {
#pragma unroll
		for (int i = 0; i < 32; i += 8) {
			((float *)As[ty + i])[tx] = A[(y + i) * n + b + tx];
			Bs[ty + i][tx] = B[(b + ty + i) * n + x];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 8; k++) {
			float b0 = Bs[4 * k][tx], b1 = Bs[4 * k + 1][tx], b2 = Bs[4 * k + 2][tx], b3 = Bs[4 * k + 3][tx];
#pragma unroll
			for (int i = 0; i < 4; i++) {
				float4 a = As[ty + 8 * i][k];
				sum[i] += a.x * b0;
				sum[i] += a.y * b1;
				sum[i] += a.z * b2;
				sum[i] += a.w * b3;
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		C[(y + 8 * i) * n + x] = sum[i];
}
