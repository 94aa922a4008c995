// x and y in arrays, z and mass still interleaved
constexpr int BODIES = 128;
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float xs[BODIES], ys[BODIES]; __shared__ volatile float zm[BODIES][2];
	int t = threadIdx.x, i = blockIdx.x * BODIES + t, o = (t + 2) % BODIES;
	float a = x[i], b = y[i], c = z[i], m = mass[i];
	xs[t] = a; ys[t] = b; zm[t][0] = c; zm[t][1] = m;
	__syncthreads();
	float dx = xs[o] - a, dy = ys[o] - b, dz = zm[o][0] - c;
	pull[i] = zm[o][1] * m / (dx * dx + dy * dy + dz * dz + 1.0f);
}
