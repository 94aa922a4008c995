__global__ void distance(unsigned *out, const unsigned *in)
{
	int t = threadIdx.x, lane = t % 32, first = blockIdx.x * 256;
	unsigned most = 0;
	for (int k = lane; k < 256; k += 32)
		most = max(most, in[first + k]);
	for (int d = 16; d; d /= 2)
		most = max(most, __shfl_xor_sync(~0u, most, d));
	out[first + t] = most - in[first + t];
}
