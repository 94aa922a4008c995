// The tiles are arrays of float4; the inner loop is unrolled by four.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float4 As4[16][17], Bs4[16][16];
	float *As = (float *)As4, *Bs = (float *)Bs4;
	int tx = threadIdx.x, ty = threadIdx.y;
	const float *a = A + (blockIdx.y * 64 + ty) * n + tx, *b = B + ty * n + blockIdx.x * 64 + tx;
	float4 r0 = {}, r1 = {}, r2 = {}, r3 = {};
	for (int t = 0; t < n; t += 16) {
#pragma unroll
		for (int i = 0; i < 64; i += 16) {
			As[tx * 68 + ty + i] = a[i * n + t];
			Bs[ty * 64 + tx + i] = b[t * n + i];
		}
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < 16; k++) {
			float4 l = As4[k][ty], r = Bs4[k][tx];
			r0.x += l.x * r.x, r0.y += l.x * r.y, r0.z += l.x * r.z, r0.w += l.x * r.w;
			r1.x += l.y * r.x, r1.y += l.y * r.y, r1.z += l.y * r.z, r1.w += l.y * r.w;
			r2.x += l.z * r.x, r2.y += l.z * r.y, r2.z += l.z * r.z, r2.w += l.z * r.w;
			r3.x += l.w * r.x, r3.y += l.w * r.y, r3.z += l.w * r.z, r3.w += l.w * r.w;
		}
		__syncthreads();
	}
	float4 *c = (float4 *)(C + (blockIdx.y * 64 + 4 * ty) * n + blockIdx.x * 64 + 4 * tx);
	c[0] = r0;
	c[n / 4] = r1;
	c[2 * (n / 4)] = r2;
	c[3 * (n / 4)] = r3;
}
