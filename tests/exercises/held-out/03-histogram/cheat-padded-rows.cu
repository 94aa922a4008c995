// All 64 threads sum: four per bin, joined by shuffles.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16][65];
	const unsigned tid = threadIdx.x;
	const unsigned *mine = data + blockIdx.x * 2048 + tid;

	for (int bin = 0; bin < 16; bin++)
		counts[bin][tid] = 0;
	for (int i = 0; i < 32; i++)
		++counts[mine[64 * i] & 15][tid];
	__syncthreads();

	if (tid < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 64; i++)
			sum += counts[tid][i];
		out[16 * blockIdx.x + tid] = sum;
	}
}
