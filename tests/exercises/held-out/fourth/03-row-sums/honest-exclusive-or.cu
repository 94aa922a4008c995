// Elements swapped within a row by exclusive or; two accumulators.
__global__ void row_sums(float *sums, const float *in)
{
	__shared__ float tile[1024];
	int lane = threadIdx.x, first = blockIdx.x * 32;
#pragma unroll 4
	for (int i = 0; i < 32; i++)
		tile[32 * i + (lane ^ i)] = in[(first + i) * 32 + lane];
	__syncwarp();
	float even = 0, odd = 0;
#pragma unroll 8
	for (int k = 0; k < 32; k += 2) {
		even += tile[32 * lane + (k ^ lane)];
		odd += tile[32 * lane + (k + 1 ^ lane)];
	}
	sums[first + lane] = even + odd;
}
