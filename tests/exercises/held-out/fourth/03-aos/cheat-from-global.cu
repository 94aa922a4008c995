// Reads the neighbor from global memory.
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	int tid = threadIdx.x, i = blockIdx.x * 128 + tid, o = blockIdx.x * 128 + (tid + 2) % 128;
	__shared__ float masses[128];
	masses[tid] = mass[i];
	__syncthreads();
	float dx = x[o] - x[i], dy = y[o] - y[i], dz = z[o] - z[i];
	pull[i] = masses[(tid + 2) % 128] * masses[tid] / (dx * dx + dy * dy + dz * dz + 1.0f);
}
