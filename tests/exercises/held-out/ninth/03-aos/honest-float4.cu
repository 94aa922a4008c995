// honest: the layout is kept, but bodies are stored and read whole, with 16 bytes per thread: four wavefronts per warp
constexpr int BODIES = 128;

__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ float4 bodies[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;

	float4 own = make_float4(x[i], y[i], z[i], mass[i]);
	bodies[tid] = own;
	__syncthreads();

	float4 other = bodies[(tid + 2) % BODIES];
	float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
	float distance = dx * dx + dy * dy + dz * dz + 1.0f;
	pull[i] = other.w * own.w / distance;
}
