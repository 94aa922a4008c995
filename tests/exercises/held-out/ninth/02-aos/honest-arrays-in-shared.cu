// honest: split into one row per component on the way in, with rows of 267 words
constexpr int ROW = 256 + 11; // the three rows start 11 banks apart

__global__ void lengths(float *out, const float *points)
{
	__shared__ float s[3][ROW];
	int t = threadIdx.x;
	const float *from = points + 768 * blockIdx.x;
#pragma unroll
	for (int r = 0; r < 3; r++) {
		int k = r * 256 + t;
		s[k % 3][k / 3] = from[k];
	}
	__syncthreads();
	float x = s[0][t], y = s[1][t], z = s[2][t];
	out[blockIdx.x * 256 + t] = x * x + y * y + z * z;
}
