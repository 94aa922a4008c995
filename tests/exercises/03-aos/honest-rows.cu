// One array with a row per component.
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float s[4][128];
	int t = threadIdx.x, i = blockIdx.x * 128 + t, o = (t + 2) % 128;
	float a = s[0][t] = x[i], b = s[1][t] = y[i], c = s[2][t] = z[i], m = s[3][t] = mass[i];
	__syncthreads();
	float dx = s[0][o] - a, dy = s[1][o] - b, dz = s[2][o] - c;
	pull[i] = s[3][o] * m / (dx * dx + dy * dy + dz * dz + 1.0f);
}
