// honest: four named sums, and A read 16 bytes at a time
constexpr int TILE = 32;

__device__ float add_products(float sum, float4 a, const float (&b)[4])
{
	return sum + a.x * b[0] + a.y * b[1] + a.z * b[2] + a.w * b[3];
}

__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float As[TILE][TILE];
	__shared__ float Bs[TILE][TILE];
	int tx = threadIdx.x, ty = threadIdx.y;
	int x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;

	float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
	for (int t = 0; t < n; t += TILE) {
#pragma unroll
		for (int i = 0; i < TILE; i += 8) {
			As[ty + i][tx] = A[(y + i) * n + t + tx];
			Bs[ty + i][tx] = B[(t + ty + i) * n + x];
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k += 4) {
			float b[4] = {Bs[k][tx], Bs[k + 1][tx], Bs[k + 2][tx], Bs[k + 3][tx]};
			s0 = add_products(s0, *(const float4 *)&As[ty][k], b);
			s1 = add_products(s1, *(const float4 *)&As[ty + 8][k], b);
			s2 = add_products(s2, *(const float4 *)&As[ty + 16][k], b);
			s3 = add_products(s3, *(const float4 *)&As[ty + 24][k], b);
		}
		__syncthreads();
	}
	float *c = C + y * n + x;
	c[0] = s0;
	c[8 * n] = s1;
	c[16 * n] = s2;
	c[24 * n] = s3;
}
