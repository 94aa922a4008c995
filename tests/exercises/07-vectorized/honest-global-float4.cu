// B's tile comes from global memory by 16-byte loads, too.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[16][68], Bs[16][64];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float sum[4][4] = {};
	for (int b = 0; b < n; b += 16) {
		for (int i = 0; i < 64; i += 16)
			As[tx][ty + i] = A[(y + ty + i) * n + b + tx];
		*(float4 *)&Bs[ty][4 * tx] = *(const float4 *)&B[(b + ty) * n + x + 4 * tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 a = *(float4 *)&As[k][4 * ty], e = *(float4 *)&Bs[k][4 * tx];
			const float p[4] = {a.x, a.y, a.z, a.w}, q[4] = {e.x, e.y, e.z, e.w};
#pragma unroll
			for (int i = 0; i < 16; i++)
				sum[i / 4][i % 4] += p[i / 4] * q[i % 4];
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		*(float4 *)&C[(y + 4 * ty + i) * n + x + 4 * tx] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
