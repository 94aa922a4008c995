// Thread i starts at column i and goes through its row by exclusive or; two sums.
template <int N> __device__ float own_row(const float (&tile)[N][N], int row)
{
	float even = 0, odd = 0;
#pragma unroll 4
	for (int k = 0; k < N; k += 2) {
		even += tile[row][k ^ row];
		odd += tile[row][(k + 1) ^ row];
	}
	return even + odd;
}
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[32][32];
	const float *from = in + blockIdx.x * 1024;
	for (int i = 0; i < 32; i++)
		tile[i][threadIdx.x] = from[i * 32 + threadIdx.x];
	__syncwarp();
	sums[blockIdx.x * 32 + threadIdx.x] = own_row(tile, threadIdx.x);
}
