// Task: a body is four words, so that neighbouring threads find their bodies' x
// four banks apart. Keep the bodies in shared memory in another form, in which
// all that the block reads takes no more passes than its words need: 32 words
// for each pass.
//
// A block of 128 threads takes 128 bodies, and every thread works out the pull
// of the next body but one, round the corner at the end.
constexpr int BODIES = 128; // in a block, one for each thread

struct Body {
	float x, y, z, mass;
};

__global__ void neighbours(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ Body bodies[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;

	Body own = {x[i], y[i], z[i], mass[i]};
	bodies[tid] = own;
	__syncthreads();

	int other = (tid + 2) % BODIES;
	float dx = bodies[other].x - own.x;
	float dy = bodies[other].y - own.y;
	float dz = bodies[other].z - own.z;
	float distance = dx * dx + dy * dy + dz * dz + 1.0f; // squared
	pull[i] = bodies[other].mass * own.mass / distance;
}
