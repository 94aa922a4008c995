// Two arrays of pairs, read word by word: two-way conflicts.
struct Pair {
	float a, b;
};
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ Pair first[128], second[128];
	volatile Pair *f = first, *s = second;
	int tid = threadIdx.x, i = blockIdx.x * 128 + tid;
	float ox = x[i], oy = y[i], oz = z[i], om = mass[i];
	f[tid].a = ox;
	f[tid].b = oy;
	s[tid].a = oz;
	s[tid].b = om;
	__syncthreads();
	int other = (tid + 2) % 128;
	float dx = f[other].a - ox, dy = f[other].b - oy, dz = s[other].a - oz;
	pull[i] = s[other].b * om / (dx * dx + dy * dy + dz * dz + 1.0f);
}
