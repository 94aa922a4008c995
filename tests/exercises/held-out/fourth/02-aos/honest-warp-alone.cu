// Each warp loads its own 96 words, and no barrier for the block is needed.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float tiles[8][96];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	float *tile = tiles[warp];
	const float *from = points + (blockIdx.x * 8 + warp) * 96;
#pragma unroll
	for (int k = 0; k < 3; k++)
		tile[lane + 32 * k] = from[lane + 32 * k];
	__syncwarp();
	float sum = 0;
#pragma unroll
	for (int k = 0; k < 3; k++)
		sum = fmaf(tile[3 * lane + k], tile[3 * lane + k], sum);
	out[(blockIdx.x * 8 + warp) * 32 + lane] = sum;
}
