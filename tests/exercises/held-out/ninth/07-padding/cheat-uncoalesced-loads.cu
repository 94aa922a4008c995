// cheat: a warp stores along a row of the tile, conflict-free, and for that loads a column of A: 32 sectors
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][33];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + column % 32) * n + column / 32;
	const float *b = B + blockIdx.x * 64 + column;

	float sum[32] = {};
	for (const float *end = a + n; a != end; a += 16) {
		const float *from = a;
#pragma unroll
		for (int i = 0; i < 16; i += 2, from += 2)
			As[column / 32 + i][column % 32] = *from;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float element = *b;
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][i] * element;
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++, c += n)
		*c = sum[i];
}
