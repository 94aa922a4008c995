// each warp its own 96 words, and only the warp waits
struct Point { float x, y, z; __device__ float length() const { return x * x + y * y + z * z; } };
__global__ void lengths(float *out, const float *points)
{
	__shared__ Point s[8][32];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	const float *from = points + 3 * (blockIdx.x * 256 + 32 * warp);
	float *to = &s[warp][0].x;
	for (int k = 64; k >= 0; k -= 32) to[k + lane] = from[k + lane];
	__syncwarp();
	out[blockIdx.x * 256 + threadIdx.x] = s[warp][lane].length();
}
