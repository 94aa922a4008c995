// No tiles: 16-byte loads of B from global memory.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	int x = blockIdx.x * 64 + 4 * threadIdx.x, y = blockIdx.y * 64 + 4 * threadIdx.y;
	float sum[4][4] = {};
	for (int k = 0; k < n; k++) {
		float4 v = *(const float4 *)&B[k * n + x];
		for (int i = 0; i < 4; i++) {
			float a = A[(y + i) * n + k];
			sum[i][0] += a * v.x;
			sum[i][1] += a * v.y;
			sum[i][2] += a * v.z;
			sum[i][3] += a * v.w;
		}
	}
	for (int i = 0; i < 4; i++)
		*(float4 *)&C[(y + i) * n + x] = make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
