// One array per component instead of one array of bodies: neighboring threads
// read consecutive words, whichever body they start at.
//
// A block of 128 threads processes 128 bodies. Every thread computes the force
// that the body two places further on exerts on its own body, wrapping around
// at the end.
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
	float dx = xs[other] - own_x;
	float dy = ys[other] - own_y;
	float dz = zs[other] - own_z;
	float distance = dx * dx + dy * dy + dz * dz + 1.0f; // squared
	pull[i] = masses[other] * own_mass / distance;
}
