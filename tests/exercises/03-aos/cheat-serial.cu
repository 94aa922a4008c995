// One warp computes all 128.
__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ float s[4][128];
	if (threadIdx.x >= 32)
		return;
	int first = blockIdx.x * 128;
	for (int t = threadIdx.x; t < 128; t += 32) {
		s[0][t] = x[first + t];
		s[1][t] = y[first + t];
		s[2][t] = z[first + t];
		s[3][t] = mass[first + t];
	}
	__syncwarp();
	for (int t = threadIdx.x; t < 128; t += 32) {
		int o = (t + 2) % 128;
		float dx = s[0][o] - s[0][t], dy = s[1][o] - s[1][t], dz = s[2][o] - s[2][t];
		pull[first + t] = s[3][o] * s[3][t] / (dx * dx + dy * dy + dz * dz + 1.0f);
	}
}
