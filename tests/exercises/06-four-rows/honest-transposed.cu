// A's tile is stored transposed: one 16-byte load has four rows.
__global__ void four_rows(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(16) float At[32][36], Bs[32][32];
	int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32;
	float4 sum = make_float4(0, 0, 0, 0);
	for (int b = 0; b < n; b += 32) {
		for (int i = ty; i < 32; i += 8) {
			At[tx][i] = A[(y + i) * n + b + tx];
			Bs[i][tx] = B[(b + i) * n + x];
		}
		__syncthreads();
#pragma unroll 8
		for (int k = 0; k < 32; k++) {
			float4 a = *(const float4 *)&At[k][4 * ty];
			float e = Bs[k][tx];
			sum.x += a.x * e;
			sum.y += a.y * e;
			sum.z += a.z * e;
			sum.w += a.w * e;
		}
		__syncthreads();
	}
	float *c = C + (y + 4 * ty) * n + x;
	c[0] = sum.x, c[n] = sum.y, c[2 * n] = sum.z, c[3 * n] = sum.w;
}
