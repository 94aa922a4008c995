// reads the neighbor from global memory; the bodies in shared memory are dead
constexpr int BODIES = 128;
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float s[BODIES];
	int t = threadIdx.x, i = blockIdx.x * BODIES + t, o = blockIdx.x * BODIES + (t + 2) % BODIES;
	((volatile float *)s)[t] = x[i];
	__syncthreads();
	float dx = x[o] - x[i], dy = y[o] - y[i], dz = z[o] - z[i];
	pull[i] = mass[o] * mass[i] / (dx * dx + dy * dy + dz * dz + 1.0f);
}
