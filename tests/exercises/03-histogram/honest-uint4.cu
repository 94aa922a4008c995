// Numbers are loaded four at a time.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16 * 64];
	unsigned t = threadIdx.x;
	for (int k = 0; k < 16; k++)
		counts[k * 64 + t] = 0;
	const uint4 *from = (const uint4 *)(data + blockIdx.x * 2048);
	for (int i = 0; i < 512; i += 64) {
		uint4 v = from[i + t];
		counts[v.x % 16 * 64 + t]++;
		counts[v.y % 16 * 64 + t]++;
		counts[v.z % 16 * 64 + t]++;
		counts[v.w % 16 * 64 + t]++;
	}
	__syncthreads();
	if (t < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 64; i++)
			sum += counts[t * 64 + (i + t) % 64];
		out[blockIdx.x * 16 + t] = sum;
	}
}
