// cheat: 16 threads store at a time, so every store takes one wavefront, and there are twice as many
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][33];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx;
	const float *b = B + blockIdx.x * 64 + column;
	int four_rows = 4 * n;

	float sum[32] = {};
	for (const float *end = a + n; a != end; a += 16) {
		const float *from = a;
#pragma unroll
		for (int i = 0; i < 32; i += 4, from += four_rows)
			for (int half = 0; half < 2; half++) {
				if (ty % 2 == half)
					As[tx][ty + i] = *from;
				__syncwarp();
			}
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
