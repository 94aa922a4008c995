// Rows of 34 words, read two words at a time.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ __align__(8) float As[16][34];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx, *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int t = 0; t < n; t += 16, a += 16) {
#pragma unroll
		for (int i = 0; i < 8; i++)
			As[tx][ty + 4 * i] = a[4 * i * n];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float e = *b;
#pragma unroll
			for (int i = 0; i < 32; i += 2) {
				float2 two = *(const float2 *)&As[k][i];
				sum[i] += two.x * e;
				sum[i + 1] += two.y * e;
			}
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		*c = sum[i];
}
