// One 16-byte access per body: four words per lane take four wavefronts, which is what 128 words need.
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float4 bodies[128];
	int tid = threadIdx.x, i = blockIdx.x * 128 + tid;
	float4 own = make_float4(x[i], y[i], z[i], mass[i]);
	bodies[tid] = own;
	__syncthreads();
	float4 other = bodies[(tid + 2) & 127];
	float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
	pull[i] = other.w * own.w / (dx * dx + dy * dy + dz * dz + 1.0f);
}
