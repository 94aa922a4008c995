// tiles of float4, loads and stores of global memory as float4 too
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float4 As[16][17], Bs[16][16];
	int tx = threadIdx.x, ty = threadIdx.y, t = 16 * ty + tx;
	const float *a = A + (size_t)(blockIdx.y * 64) * n, *b = B + blockIdx.x * 64;
	float4 sum[4] = {};
	for (int d = 0; d < n; d += 16) {
		int row = t / 4, c = t % 4 * 4;
		float4 v = *(const float4 *)&a[row * n + d + c];
		float *s = (float *)As;
		s[(c + 0) * 68 + row] = v.x; s[(c + 1) * 68 + row] = v.y; s[(c + 2) * 68 + row] = v.z; s[(c + 3) * 68 + row] = v.w;
		Bs[ty][tx] = *(const float4 *)&b[(d + ty) * n + 4 * tx];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float4 p = As[k][ty], q = Bs[k][tx];
			float r[4] = {p.x, p.y, p.z, p.w};
#pragma unroll
			for (int i = 0; i < 4; i++) { sum[i].x += r[i] * q.x; sum[i].y += r[i] * q.y; sum[i].z += r[i] * q.z; sum[i].w += r[i] * q.w; }
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++) *(float4 *)&C[(size_t)(blockIdx.y * 64 + 4 * ty + i) * n + blockIdx.x * 64 + 4 * tx] = sum[i];
}
