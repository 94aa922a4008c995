__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float2 xy[128], zm[128];
	int t = threadIdx.x, i = blockIdx.x * 128 + t;
	float2 a = make_float2(x[i], y[i]), b = make_float2(z[i], mass[i]);
	xy[t] = a;
	zm[t] = b;
	__syncthreads();
	int o = (t + 2) % 128;
	float2 c = xy[o], d = zm[o];
	float dx = c.x - a.x, dy = c.y - a.y, dz = d.x - b.x;
	pull[i] = d.y * b.y / (dx * dx + dy * dy + dz * dz + 1.0f);
}
