// four words per body still, but their order depends on the body
constexpr int BODIES = 128;
__device__ int at(int body, int c) { return 4 * body + (c ^ (body >> 3 & 3)); }
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float s[4 * BODIES];
	int t = threadIdx.x, i = blockIdx.x * BODIES + t, o = (t + 2) % BODIES;
	float a = x[i], b = y[i], c = z[i], m = mass[i];
	s[at(t, 0)] = a; s[at(t, 1)] = b; s[at(t, 2)] = c; s[at(t, 3)] = m;
	__syncthreads();
	float dx = s[at(o, 0)] - a, dy = s[at(o, 1)] - b, dz = s[at(o, 2)] - c;
	pull[i] = s[at(o, 3)] * m / (dx * dx + dy * dy + dz * dz + 1.0f);
}
