// 34 words for the upper 16 rows, 33 for the others
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16 * 34];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	int four_rows = 4 * n;
	float sum[32] = {};
	for (const float *end = a + n; a != end; a += 16) {
		const float *from = a;
#pragma unroll
		for (int i = 0; i < 32; i += 4, from += four_rows) { if (i < 16) As[0][tx * 34 + ty + i] = *from; else As[1][tx * 33 + ty + i - 16] = *from; }
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float element = *b;
#pragma unroll
			for (int i = 0; i < 32; i++) sum[i] += (i < 16 ? As[0][k * 34 + i] : As[1][k * 33 + i - 16]) * element;
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n) *c = sum[i];
}
