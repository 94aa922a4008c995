// honest: no padding: each thread starts at another of its eight words
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[2048];
	const unsigned t = threadIdx.x;
	const unsigned *from = in + 2048 * blockIdx.x;
#pragma unroll
	for (unsigned w = t; w < 2048; w += 256)
		s[w] = from[w];
	__syncthreads();
	unsigned sum = 0;
#pragma unroll
	for (unsigned k = 0; k < 8; k++)
		sum += s[8 * t + ((k + t / 4) & 7)];
	out[256 * blockIdx.x + t] = sum;
}
