// honest: an aligned structure of four floats; A loaded with 16-byte loads too; rows of 72 words
constexpr int TILE = 64;
constexpr int DEPTH = 16;
constexpr int PADDED = TILE + 8;

struct alignas(16) Four {
	float of[4];
};

__global__ void vectorized(float *C, const float *A, const float *B, int n)
{
	__shared__ alignas(16) float As[DEPTH * PADDED];
	__shared__ alignas(16) float Bs[DEPTH * TILE];
	const unsigned tid = threadIdx.y * 16 + threadIdx.x;
	const unsigned column = 4 * threadIdx.x, row = 4 * threadIdx.y;
	const unsigned x = blockIdx.x * TILE, y = blockIdx.y * TILE;

	float sum[4][4] = {};
	for (int t = 0; t < n; t += DEPTH) {
		const unsigned from_row = tid / 4, from_k = tid % 4 * 4;
		Four four = *(const Four *)&A[(y + from_row) * n + t + from_k];
#pragma unroll
		for (int k = 0; k < 4; k++)
			As[(from_k + k) * PADDED + from_row] = four.of[k];
		*(Four *)&Bs[threadIdx.y * TILE + column] =
			*(const Four *)&B[(t + threadIdx.y) * n + x + column];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < DEPTH; k++) {
			const Four a = *(const Four *)&As[k * PADDED + row];
			const Four b = *(const Four *)&Bs[k * TILE + column];
#pragma unroll
			for (int i = 0; i < 16; i++)
				sum[i / 4][i % 4] += a.of[i / 4] * b.of[i % 4];
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 4; i++)
		*(float4 *)&C[(y + row + i) * n + x + column] =
			make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
}
