// Eight lanes sum neighboring words by shuffles.
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	int t = threadIdx.x;
	for (int k = 0; k < 8; k++) {
		unsigned sum = in[blockIdx.x * 2048 + k * 256 + t];
		for (int d = 4; d > 0; d /= 2)
			sum += __shfl_down_sync(~0u, sum, d, 8);
		if (t % 8 == 0)
			s[k * 32 + t / 8] = sum;
	}
	__syncthreads();
	out[blockIdx.x * 256 + t] = s[t];
}
