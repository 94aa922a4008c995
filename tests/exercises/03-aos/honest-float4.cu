// A body is one 16-byte access: four wavefronts for 128 words, as many as they need.
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float4 bodies[128];
	int t = threadIdx.x, i = blockIdx.x * 128 + t;
	float4 own = make_float4(x[i], y[i], z[i], mass[i]);
	bodies[t] = own;
	__syncthreads();
	float4 o = bodies[(t + 2) % 128];
	float dx = o.x - own.x, dy = o.y - own.y, dz = o.z - own.z;
	pull[i] = o.w * own.w / (dx * dx + dy * dy + dz * dz + 1.0f);
}
