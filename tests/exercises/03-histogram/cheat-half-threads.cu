// One warp counts twice as much.
__global__ void histogram(unsigned *out, const unsigned *data)
{
	__shared__ unsigned counts[16][32];
	unsigned t = threadIdx.x;
	if (t >= 32)
		return;
	for (int b = 0; b < 16; b++)
		counts[b][t] = 0;
	for (int i = 0; i < 2048; i += 32)
		counts[data[blockIdx.x * 2048 + i + t] % 16][t]++;
	__syncwarp();
	if (t < 16) {
		unsigned sum = 0;
		for (int i = 0; i < 32; i++)
			sum += counts[t][(i + t) % 32];
		out[blockIdx.x * 16 + t] = sum;
	}
}
