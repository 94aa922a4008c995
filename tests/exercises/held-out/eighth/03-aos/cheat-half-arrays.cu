// cheat: x and y are arrays now, z and mass are still a structure with a stride of two words
constexpr int BODIES = 128;

struct Rest {
	float z, mass;
};

__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float xs[BODIES], ys[BODIES];
	__shared__ volatile Rest rest[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;
	float own_x = x[i], own_y = y[i], own_z = z[i], own_mass = mass[i];
	xs[tid] = own_x;
	ys[tid] = own_y;
	rest[tid].z = own_z;
	rest[tid].mass = own_mass;
	__syncthreads();
	int o = (tid + 2) % BODIES;
	float dx = xs[o] - own_x, dy = ys[o] - own_y, dz = rest[o].z - own_z;
	pull[i] = rest[o].mass * own_mass / (dx * dx + dy * dy + dz * dz + 1.0f);
}
