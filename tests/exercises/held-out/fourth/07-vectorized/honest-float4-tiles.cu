// Both tiles are arrays of float4; A's rows have one float4 of padding.
__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ float4 As[16][17], Bs[16][16];
	const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 64, y = blockIdx.y * 64;
	float4 sum[4] = {};
	for (int b = 0; b < n; b += 16) {
#pragma unroll
		for (int i = 0; i < 64; i += 16)
			reinterpret_cast<float *>(As[tx])[ty + i] = A[(y + ty + i) * n + b + tx];
		Bs[ty][tx] = *reinterpret_cast<const float4 *>(&B[(b + ty) * n + x + 4 * tx]);
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			const float4 a = As[k][ty], e = Bs[k][tx];
			const float rows[4] = {a.x, a.y, a.z, a.w};
#pragma unroll
			for (int i = 0; i < 4; i++) {
				sum[i].x = fmaf(rows[i], e.x, sum[i].x);
				sum[i].y = fmaf(rows[i], e.y, sum[i].y);
				sum[i].z = fmaf(rows[i], e.z, sum[i].z);
				sum[i].w = fmaf(rows[i], e.w, sum[i].w);
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		*reinterpret_cast<float4 *>(&C[(y + 4 * ty + i) * n + x + 4 * tx]) = sum[i];
}
