// An array for each component instead of one array of bodies: neighbouring
// threads read neighbouring words of it, wherever the body they look at begins.
//
// A block of 128 threads takes 128 bodies, and every thread works out the pull
// of the next body but one, round the corner at the end.
constexpr int BODIES = 128; // in a block, one for each thread

__global__ void neighbours(float *pull, const float *x, const float *y,
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
	float dx = xs[other] - own_x;
	float dy = ys[other] - own_y;
	float dz = zs[other] - own_z;
	float distance = dx * dx + dy * dy + dz * dz + 1.0f; // squared
	pull[i] = masses[other] * own_mass / distance;
}
