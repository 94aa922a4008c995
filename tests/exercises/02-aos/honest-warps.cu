// Each warp stages its own 96 floats and waits only for itself.
__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[8][96];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const float *from = points + (blockIdx.x * 8 + warp) * 96;
	s[warp][lane] = from[lane];
	s[warp][lane + 32] = from[lane + 32];
	s[warp][lane + 64] = from[lane + 64];
	__syncwarp();
	float3 p = make_float3(s[warp][3 * lane], s[warp][3 * lane + 1], s[warp][3 * lane + 2]);
	out[blockIdx.x * 256 + threadIdx.x] = p.x * p.x + p.y * p.y + p.z * p.z;
}
