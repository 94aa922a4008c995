// Only the mass goes through shared memory; the neighbor's position is read again from global memory.
constexpr int BODIES = 128;
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float masses[BODIES];
	int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;
	masses[tid] = mass[i];
	__syncthreads();
	int other = (tid + 2) % BODIES, j = blockIdx.x * BODIES + other;
	float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
	pull[i] = masses[other] * masses[tid] / (dx * dx + dy * dy + dz * dz + 1.0f);
}
