// === honest-38
// 38 words per row: six banks from row to row.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][38];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx, *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int t = 0; t < n; t += 16, a += 16) {
#pragma unroll
		for (int i = 0; i < 32; i += 4)
			As[tx][ty + i] = a[i * n];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++) {
			float e = b[(t + k) * n];
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][i] * e;
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 32; i++)
		C[(blockIdx.y * 32 + i) * n + blockIdx.x * 64 + column] = sum[i];
}

// === honest-float2
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

// === honest-swizzle
// No padding: the row is exclusive-ored with twice the column.
__global__ void padding(float *C, const float *A, const float *B, int n)
{
	__shared__ float As[16][32];
	int tx = threadIdx.x, ty = threadIdx.y, column = ty * 16 + tx;
	const float *a = A + (blockIdx.y * 32 + ty) * n + tx, *b = B + blockIdx.x * 64 + column;
	float sum[32] = {};
	for (int t = 0; t < n; t += 16, a += 16) {
#pragma unroll
		for (int i = 0; i < 32; i += 4)
			As[tx][(ty + i) ^ (2 * tx)] = a[i * n];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++, b += n) {
			float e = *b;
#pragma unroll
			for (int i = 0; i < 32; i++)
				sum[i] += As[k][i ^ (2 * k)] * e;
		}
		__syncthreads();
	}
	float *c = C + blockIdx.y * 32 * n + blockIdx.x * 64 + column;
#pragma unroll
	for (int i = 0; i < 32; i++)
		c[i * n] = sum[i];
}

// === cheat-not-transposed
// The tile as it is, so that no thread stores by columns.
// - As[16][34]
// + As[32][16]
// - As[tx][ty + i]
// + As[ty + i][tx]
// - As[k][i]
// + As[i][k]

// === cheat-one-warp-fills
// The second warp waits.
// - 4 * n
// + 2 * n
// - i += 4, from += four_rows)
// + i += 2, from += four_rows) if (ty < 2)
