// Each warp stages its own 96 words; no barrier of the block.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float words[8][96];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const float *from = points + (blockIdx.x * 8 + warp) * 96;
	float *mine = words[warp];
#pragma unroll
	for (int k = 0; k < 96; k += 32)
		mine[k + lane] = from[k + lane];
	__syncwarp();
	float x = mine[3 * lane], y = mine[3 * lane + 1], z = mine[3 * lane + 2];
	out[blockIdx.x * 256 + threadIdx.x] = fmaf(x, x, fmaf(y, y, z * z));
}
