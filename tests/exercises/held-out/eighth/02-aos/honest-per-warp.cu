// honest: every warp stages its own 96 floats, so a barrier of the warp is enough
__global__ void lengths(float *out, const float *points)
{
	__shared__ float staged[8][96];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const float *from = points + 3 * (blockIdx.x * 256 + warp * 32);
#pragma unroll
	for (int k = 0; k < 96; k += 32)
		staged[warp][k + lane] = from[k + lane];
	__syncwarp();
	float x = staged[warp][3 * lane], y = staged[warp][3 * lane + 1], z = staged[warp][3 * lane + 2];
	out[blockIdx.x * 256 + threadIdx.x] = fmaf(x, x, fmaf(y, y, z * z));
}
