// A fifth word per body makes the stride odd.
struct Body {
	float x, y, z, mass, padding;
};
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ Body bodies[128];
	int tid = threadIdx.x, i = blockIdx.x * 128 + tid;
	float px = x[i], py = y[i], pz = z[i], m = mass[i];
	bodies[tid].x = px;
	bodies[tid].y = py;
	bodies[tid].z = pz;
	bodies[tid].mass = m;
	__syncthreads();
	const Body &other = bodies[(tid + 2) % 128];
	float dx = other.x - px, dy = other.y - py, dz = other.z - pz;
	pull[i] = other.mass * m / (dx * dx + dy * dy + dz * dz + 1.0f);
}
