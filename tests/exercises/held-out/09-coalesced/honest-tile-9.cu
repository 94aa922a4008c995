__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned words[256 * 9];
	const int t = threadIdx.x;
	const unsigned *from = in + blockIdx.x * 2048;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		int w = k * 256 + t;
		words[w / 8 * 9 + w % 8] = from[w];
	}
	__syncthreads();
	unsigned sum = 0;
#pragma unroll
	for (int k = 0; k < 8; k++)
		sum += words[t * 9 + k];
	out[blockIdx.x * 256 + t] = sum;
}
