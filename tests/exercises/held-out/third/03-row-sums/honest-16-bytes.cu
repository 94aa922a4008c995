// Rows of 36 words, read 16 bytes at a time.
constexpr int ROW = 32; // elements in a row, rows in a tile, threads in a block

__global__ void row_sums(float *sums, const float *in)
{
	__shared__ __align__(16) float tile[ROW][ROW + 4];
	int first = blockIdx.x * ROW; // row of the matrix

	for (int i = 0; i < ROW; i++)
		tile[i][threadIdx.x] = in[(first + i) * ROW + threadIdx.x];
	__syncthreads();

	float sum = 0;
	for (int k = 0; k < ROW; k += 4) {
		float4 f = *(const float4 *)&tile[threadIdx.x][k];
		sum += (f.x + f.y) + (f.z + f.w);
	}
	sums[first + threadIdx.x] = sum;
}
