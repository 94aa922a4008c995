// cheat: eight lanes at a time access the old structures: no request conflicts, but there are four times as many
constexpr int BODIES = 128;

struct Body {
	float x, y, z, mass;
};

__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ volatile Body bodies[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;
	float own_x = x[i], own_y = y[i], own_z = z[i], own_mass = mass[i];
	for (int turn = 0; turn < 4; turn++)
		if (tid / 8 % 4 == turn) {
			bodies[tid].x = own_x;
			bodies[tid].y = own_y;
			bodies[tid].z = own_z;
			bodies[tid].mass = own_mass;
		}
	__syncthreads();
	int o = (tid + 2) % BODIES;
	float dx = 0, dy = 0, dz = 0, m = 0;
	for (int turn = 0; turn < 4; turn++)
		if (tid / 8 % 4 == turn) {
			dx = bodies[o].x - own_x;
			dy = bodies[o].y - own_y;
			dz = bodies[o].z - own_z;
			m = bodies[o].mass;
		}
	pull[i] = m * own_mass / (dx * dx + dy * dy + dz * dz + 1.0f);
}
