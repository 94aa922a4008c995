// cheat: two unused words per body: the stride is still even, two wavefronts per request
constexpr int BODIES = 128;

struct Body {
	float x, y, z, mass, unused[2];
};

__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ Body bodies[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;
	float own_x = x[i], own_y = y[i], own_z = z[i], own_mass = mass[i];
	bodies[tid].x = own_x;
	bodies[tid].y = own_y;
	bodies[tid].z = own_z;
	bodies[tid].mass = own_mass;
	__syncthreads();
	const Body &other = bodies[(tid + 2) % BODIES];
	float dx = other.x - own_x, dy = other.y - own_y, dz = other.z - own_z;
	pull[i] = other.mass * own_mass / (dx * dx + dy * dy + dz * dz + 1.0f);
}
