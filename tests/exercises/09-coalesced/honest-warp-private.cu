// each warp its own 256 words
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[8][8 * 33];
	int w = threadIdx.x / 32, l = threadIdx.x % 32, first = blockIdx.x * 2048 + 256 * w;
	for (int k = 0; k < 8; k++) { int p = 32 * k + l; s[w][p % 8 * 33 + p / 8] = in[first + p]; }
	__syncwarp();
	unsigned sum = 0;
	for (int k = 0; k < 8; k++) sum += s[w][33 * k + l];
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}
