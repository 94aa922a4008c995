// a structure of six words: two-way conflicts
constexpr int BODIES = 128;
struct Body { float x, y, z, mass, a, b; };
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ Body s[BODIES];
	int t = threadIdx.x, i = blockIdx.x * BODIES + t, o = (t + 2) % BODIES;
	float a = x[i], b = y[i], c = z[i], m = mass[i];
	s[t].x = a; s[t].y = b; s[t].z = c; s[t].mass = m;
	__syncthreads();
	float dx = s[o].x - a, dy = s[o].y - b, dz = s[o].z - c;
	pull[i] = s[o].mass * m / (dx * dx + dy * dy + dz * dz + 1.0f);
}
