// A's elements four at a time as float4
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[32][32]; __shared__ float Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
	float sum[4] = {};
	for (int b = 0; b < n; b += 32) {
#pragma unroll
		for (int i = 0; i < 32; i += 8) { As[ty + i][tx] = A[(y + i) * n + b + tx]; Bs[ty + i][tx] = B[(b + ty + i) * n + x]; }
		__syncthreads();
#pragma unroll 2
		for (int k = 0; k < 32; k += 4) {
			float e[4] = {Bs[k][tx], Bs[k + 1][tx], Bs[k + 2][tx], Bs[k + 3][tx]};
#pragma unroll
			for (int i = 0; i < 4; i++) {
				float4 a = *(const float4 *)&As[ty + 8 * i][k];
				sum[i] += a.x * e[0] + a.y * e[1] + a.z * e[2] + a.w * e[3];
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++) C[(y + 8 * i) * n + x] = sum[i];
}
