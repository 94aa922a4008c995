// Two unused words per body: the stride is even, and two threads still share a bank.
constexpr int BODIES = 128;
struct Body {
	float x, y, z, mass, unused[2];
};
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ Body bodies[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;
	float ox = x[i], oy = y[i], oz = z[i], om = mass[i];
	bodies[tid].x = ox;
	bodies[tid].y = oy;
	bodies[tid].z = oz;
	bodies[tid].mass = om;
	__syncthreads();
	int other = (tid + 2) % BODIES;
	float dx = bodies[other].x - ox, dy = bodies[other].y - oy, dz = bodies[other].z - oz;
	pull[i] = bodies[other].mass * om / (dx * dx + dy * dy + dz * dz + 1.0f);
}
