// All 64 threads sum: four per bin, joined by shuffles.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16][64];
	unsigned t = threadIdx.x;
	for (int bin = 0; bin < 16; bin++)
		counts[bin][t] = 0;
	for (int i = 0; i < 2048; i += 64)
		counts[data[blockIdx.x * 2048 + i + t] & 15][t]++;
	__syncthreads();
	unsigned bin = t / 4, part = t % 4, start = bin % 8 * 2 + part / 2, sum = 0;
	for (int i = 0; i < 16; i++)
		sum += counts[bin][part * 16 + (i + start) % 16];
	sum += __shfl_xor_sync(~0u, sum, 1);
	sum += __shfl_xor_sync(~0u, sum, 2);
	if (part == 0)
		out[blockIdx.x * 16 + bin] = sum;
}
