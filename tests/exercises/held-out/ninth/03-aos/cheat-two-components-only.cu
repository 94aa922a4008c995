// cheat: x and y have arrays of their own, z and mass stay together with a stride of two words
constexpr int BODIES = 128; // in a block, one per thread

__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ float xs[BODIES], ys[BODIES];
	__shared__ struct { float z, mass; } rest[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;

	float own_x = x[i], own_y = y[i], own_z = z[i], own_mass = mass[i];
	xs[tid] = own_x;
	ys[tid] = own_y;
	rest[tid].z = own_z;
	rest[tid].mass = own_mass;
	__syncthreads();

	int other = (tid + 2) % BODIES;
	float dx = xs[other] - own_x;
	float dy = ys[other] - own_y;
	float dz = rest[other].z - own_z;
	float distance = dx * dx + dy * dy + dz * dz + 1.0f; // squared
	pull[i] = rest[other].mass * own_mass / distance;
}
