// cheat: two words of padding per body: a stride of six, so every request still takes two wavefronts
constexpr int BODIES = 128; // in a block, one per thread

struct Body {
	float x, y, z, mass, padding[2];
};

__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ Body bodies[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;

	Body own;
	bodies[tid].x = own.x = x[i];
	bodies[tid].y = own.y = y[i];
	bodies[tid].z = own.z = z[i];
	bodies[tid].mass = own.mass = mass[i];
	__syncthreads();

	int other = (tid + 2) % BODIES;
	float dx = bodies[other].x - own.x;
	float dy = bodies[other].y - own.y;
	float dz = bodies[other].z - own.z;
	float distance = dx * dx + dy * dy + dz * dz + 1.0f; // squared
	pull[i] = bodies[other].mass * own.mass / distance;
}
