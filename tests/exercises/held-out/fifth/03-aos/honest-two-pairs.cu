// Two arrays of float2: 8-byte requests of neighboring threads are in one piece, 2 wavefronts for 64 words.
constexpr int BODIES = 128;
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float2 xy[BODIES], zm[BODIES];
	const int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;
	const float2 a = make_float2(x[i], y[i]), b = make_float2(z[i], mass[i]);
	xy[tid] = a;
	zm[tid] = b;
	__syncthreads();
	const float2 p = xy[(tid + 2) & (BODIES - 1)], q = zm[(tid + 2) & (BODIES - 1)];
	const float dx = p.x - a.x, dy = p.y - a.y, dz = q.x - b.x;
	pull[i] = q.y * b.y / (dx * dx + dy * dy + dz * dz + 1.0f);
}
