// honest: a fifth, unused word makes the stride odd
constexpr int BODIES = 128;

struct Body {
	float x, y, z, mass, pad;
};

__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ Body bodies[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;
	Body own = {x[i], y[i], z[i], mass[i], 0};
	bodies[tid].x = own.x;
	bodies[tid].y = own.y;
	bodies[tid].z = own.z;
	bodies[tid].mass = own.mass;
	__syncthreads();
	int other = tid < BODIES - 2 ? tid + 2 : tid + 2 - BODIES;
	float dx = bodies[other].x - own.x;
	float dy = bodies[other].y - own.y;
	float dz = bodies[other].z - own.z;
	pull[i] = bodies[other].mass * own.mass / (dx * dx + dy * dy + dz * dz + 1.0f);
}
