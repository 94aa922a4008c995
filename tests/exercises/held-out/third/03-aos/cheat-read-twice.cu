// The right layout, and every word read twice.
constexpr int BODIES = 128; // in a block, one per thread

__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ float xs[BODIES], ys[BODIES], zs[BODIES], masses[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;

	float own_x = x[i], own_y = y[i], own_z = z[i], own_mass = mass[i];
	xs[tid] = own_x;
	ys[tid] = own_y;
	zs[tid] = own_z;
	masses[tid] = own_mass;
	__syncthreads();

	int other = (tid + 2) % BODIES;
	volatile float *vx = xs, *vy = ys, *vz = zs, *vm = masses;
	float again = 0 * (vx[other] + vy[other] + vz[other] + vm[other]);
	float dx = vx[other] - own_x + again;
	float dy = ys[other] - own_y;
	float dz = zs[other] - own_z;
	float distance = dx * dx + dy * dy + dz * dz + 1.0f; // squared
	pull[i] = masses[other] * own_mass / distance;
}
