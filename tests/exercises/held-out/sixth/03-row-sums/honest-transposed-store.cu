template <int N> struct Tile { float w[N][N + 1]; };
__global__ void row_sums(float *__restrict__ sums, const float *__restrict__ in)
{
	__shared__ Tile<32> tile;
	const unsigned t = threadIdx.x;
	const float *rows = in + blockIdx.x * 1024;
#pragma unroll
	for (int i = 0; i < 32; i++)
		tile.w[t][i] = __ldg(rows + i * 32 + t);
	__syncwarp();
	float sum = 0;
#pragma unroll
	for (int k = 31; k >= 0; k--)
		sum += tile.w[k][t];
	sums[blockIdx.x * 32 + t] = sum;
}
