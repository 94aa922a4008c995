// honest: every warp stages its own 256 words and needs no barrier of the block
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned staged[8][32][9];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const unsigned *from = in + (blockIdx.x * 8 + warp) * 256;
	for (int k = 0; k < 8; k++) {
		int row = 4 * k + lane / 8; // of eight words
		staged[warp][row][lane % 8] = from[32 * k + lane];
	}
	__syncwarp();
	unsigned sum = staged[warp][lane][0];
	for (int k = 1; k < 8; k++)
		sum += staged[warp][lane][k];
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}
