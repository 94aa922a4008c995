// Each warp stages its own 256 words; the columns are rotated instead of padded.
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[8][256];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	const unsigned *from = in + (blockIdx.x * 8 + warp) * 256;
	for (int k = 0; k < 8; k++) {
		int w = k * 32 + lane;
		s[warp][w / 8 * 8 + (w + w / 32) % 8] = from[w];
	}
	__syncwarp();
	unsigned sum = 0;
	for (int k = 0; k < 8; k++)
		sum += s[warp][lane * 8 + (k + lane / 4) % 8];
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}
