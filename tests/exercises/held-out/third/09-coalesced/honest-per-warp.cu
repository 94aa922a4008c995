// Each warp stages its 256 words by itself.
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned words[8][32 * 9];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = (blockIdx.x * 8 + warp) * 256;
	for (int w = lane; w < 256; w += 32)
		words[warp][w + w / 8] = in[first + w];
	__syncwarp();
	unsigned sum = 0;
#pragma unroll
	for (int k = 0; k < 8; k++)
		sum += words[warp][9 * lane + k];
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}
