__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float m[128];
	int tid = threadIdx.x, i = blockIdx.x * 128 + tid, o = blockIdx.x * 128 + (tid + 2) % 128;
	m[tid] = mass[i];
	__syncthreads();
	float dx = x[o] - x[i], dy = y[o] - y[i], dz = z[o] - z[i];
	pull[i] = m[(tid + 2) % 128] * m[tid] / (dx * dx + dy * dy + dz * dz + 1.0f);
}
