// honest: each warp copies its own 96 floats and needs no barrier for the block
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[8][96];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	int w = blockIdx.x * 8 + warp;
	float *own = s[warp];
	own[lane] = points[96 * w + lane];
	own[lane + 32] = points[96 * w + lane + 32];
	own[lane + 64] = points[96 * w + lane + 64];
	__syncwarp();
	float sum = 0;
#pragma unroll
	for (int k = 0; k < 3; k++)
		sum = fmaf(own[3 * lane + k], own[3 * lane + k], sum);
	out[32 * w + lane] = sum;
}
