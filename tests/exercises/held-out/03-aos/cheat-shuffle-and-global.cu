// Neighbors by shuffles; the last two lanes read global memory.
__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ float4 s[128];
	int t = threadIdx.x, i = blockIdx.x * 128 + t;
	s[t].x = x[i];
	s[t].y = y[i];
	s[t].z = z[i];
	s[t].w = mass[i];
	__syncthreads();
	int o = (t + 2) % 128;
	volatile float *f = (volatile float *)&s[o];
	float dx = f[0] - s[t].x, dy = f[1] - s[t].y, dz = f[2] - s[t].z;
	pull[i] = f[3] * s[t].w / (dx * dx + dy * dy + dz * dz + 1.0f);
}
