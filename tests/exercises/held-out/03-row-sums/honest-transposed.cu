__global__ void row_sums(float *sums, const float *in)
{
	// Stored transposed, with one word of padding.
	__shared__ float columns[32][33];
	const int lane = threadIdx.x;
	const float *from = in + blockIdx.x * 1024 + lane;

	for (int row = 0; row < 32; row++, from += 32)
		columns[lane][row] = *from;
	__syncthreads();

	float even = 0, odd = 0;
	for (int k = 0; k < 32; k += 2) {
		even += columns[k][lane];
		odd += columns[k + 1][lane];
	}
	sums[blockIdx.x * 32 + lane] = even + odd;
}
