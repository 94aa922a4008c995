// shuffles within the warp, global memory for the last two lanes: no layout at all
constexpr int BODIES = 128;
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	int t = threadIdx.x, i = blockIdx.x * BODIES + t, o = blockIdx.x * BODIES + (t + 2) % BODIES, l = (t + 2) % 32;
	float a = x[i], b = y[i], c = z[i], m = mass[i];
	float oa = __shfl_sync(~0u, a, l), ob = __shfl_sync(~0u, b, l), oc = __shfl_sync(~0u, c, l), om = __shfl_sync(~0u, m, l);
	if (t % 32 >= 30) { oa = x[o]; ob = y[o]; oc = z[o]; om = mass[o]; }
	float dx = oa - a, dy = ob - b, dz = oc - c;
	pull[i] = om * m / (dx * dx + dy * dy + dz * dz + 1.0f);
}
