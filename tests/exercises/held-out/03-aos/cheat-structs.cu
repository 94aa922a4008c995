// A structure of six words: still conflicts, two-way.
struct Body {
	float x, y, z, mass, pad, pad2;
};
__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ Body bodies[128];
	int tid = threadIdx.x, i = blockIdx.x * 128 + tid;
	Body own = {x[i], y[i], z[i], mass[i], 0, 0};
	bodies[tid] = own;
	__syncthreads();
	int other = (tid + 2) % 128;
	float dx = bodies[other].x - own.x, dy = bodies[other].y - own.y, dz = bodies[other].z - own.z;
	pull[i] = bodies[other].mass * own.mass / (dx * dx + dy * dy + dz * dz + 1.0f);
}
