// No padding: row k of the transposed tile is rotated by 2k words.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][32];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int t = 0; t < n; t += 16, a += 16) {
#pragma unroll
		for (int i = 0; i < 32; i += 4)
			As[tx][(ty + i + 2 * tx) & 31] = a[i * n];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float e = *b;
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][(i + 2 * k) & 31] * e;
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		*c = sum[i];
}
