// honest: even and odd rows of A in two tables with rows of 17 words, which start 16 banks apart
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[2][16][17];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	int four_rows = 4 * n;

	float sum[32] = {};
	for (const float *end = a + n; a != end; a += 16) {
		const float *from = a;
#pragma unroll
		for (int i = 0; i < 32; i += 4, from += four_rows)
			As[ty % 2][tx][(ty + i) / 2] = *from;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float element = *b;
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[i % 2][k][i / 2] * element;
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		*c = sum[i];
}
