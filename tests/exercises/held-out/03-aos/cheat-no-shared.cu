// Reads the neighbor from global memory.
__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	int tid = threadIdx.x, i = blockIdx.x * 128 + tid, j = blockIdx.x * 128 + (tid + 2) % 128;
	float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
	pull[i] = mass[j] * mass[i] / (dx * dx + dy * dy + dz * dz + 1.0f);
}
