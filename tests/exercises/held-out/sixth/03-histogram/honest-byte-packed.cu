// four bins per word would conflict; 16-bit counters, two bins per word
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[8][64];
	unsigned t = threadIdx.x;
	for (int b = 0; b < 8; b++)
		counts[b][t] = 0;
	for (int i = 0; i < 32; i++) {
		unsigned v = data[blockIdx.x * 2048 + i * 64 + t] % 16;
		counts[v / 2][t] += v % 2 ? 1u << 16 : 1;
	}
	__syncthreads();
	if (t < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 64; i++)
			sum += counts[t / 2][(i + t) % 64] >> t % 2 * 16 & 0xffff;
		out[blockIdx.x * 16 + t] = sum;
	}
}
