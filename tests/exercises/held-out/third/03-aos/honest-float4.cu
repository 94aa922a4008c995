// A body is a float4, and moves in one access.
constexpr int BODIES = 128; // in a block, one per thread



__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ float4 bodies[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;

	float4 own = make_float4(x[i], y[i], z[i], mass[i]);
	bodies[tid] = own;
	__syncthreads();

	int other = (tid + 2) % BODIES;
	float4 o = bodies[other];
	float dx = o.x - own.x;
	float dy = o.y - own.y;
	float dz = o.z - own.z;
	float distance = dx * dx + dy * dy + dz * dz + 1.0f; // squared
	pull[i] = o.w * own.w / distance;
}
