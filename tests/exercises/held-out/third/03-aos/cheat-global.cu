// The other body comes from global memory, its mass from shared.
constexpr int BODIES = 128; // in a block, one per thread

struct Body {
	float x, y, z, mass;
};

__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ float masses[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;

	Body own = {x[i], y[i], z[i], mass[i]};
	masses[tid] = own.mass;
	__syncthreads();

	int other = (tid + 2) % BODIES;
	float dx = x[blockIdx.x * BODIES + other] - own.x;
	float dy = y[blockIdx.x * BODIES + other] - own.y;
	float dz = z[blockIdx.x * BODIES + other] - own.z;
	float distance = dx * dx + dy * dy + dz * dz + 1.0f; // squared
	pull[i] = masses[other] * own.mass / distance;
}
