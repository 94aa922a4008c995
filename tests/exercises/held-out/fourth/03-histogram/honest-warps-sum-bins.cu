// Each of the two warps sums eight bins with shuffles.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16][64];
	const unsigned tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
#pragma unroll
	for (int bin = 0; bin < 16; bin++)
		counts[bin][tid] = 0;
	const unsigned *from = data + blockIdx.x * 2048 + tid;
	for (int i = 0; i < 32; i++)
		counts[from[64 * i] & 15][tid]++;
	__syncthreads();
	for (unsigned bin = warp; bin < 16; bin += 2) {
		unsigned sum = counts[bin][lane] + counts[bin][lane + 32];
		for (int d = 16; d; d >>= 1)
			sum += __shfl_down_sync(~0u, sum, d);
		if (lane == 0)
			out[blockIdx.x * 16 + bin] = sum;
	}
}
