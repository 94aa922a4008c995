// honest: rows of 32 words, and the row's index is combined with twice the column by xor
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][32];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	int four_rows = 4 * n;

	float sum[32] = {};
	for (const float *end = a + n; a != end; a += 16) {
		const float *from = a;
#pragma unroll
		for (int i = 0; i < 32; i += 4, from += four_rows)
			As[tx][(ty + i) ^ (2 * tx)] = *from;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float element = *b;
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][i ^ (2 * k)] * element;
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		*c = sum[i];
}
