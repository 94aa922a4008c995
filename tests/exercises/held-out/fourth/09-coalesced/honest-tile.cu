// The block's 2048 words go through shared memory with one word of padding per eight.
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256 * 9];
	const unsigned *from = in + blockIdx.x * 2048;
#pragma unroll 8
	for (int k = threadIdx.x; k < 2048; k += 256)
		s[k / 8 * 9 + k % 8] = from[k];
	__syncthreads();
	unsigned sum = 0;
#pragma unroll
	for (int k = 0; k < 8; k++)
		sum += s[threadIdx.x * 9 + k];
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}
