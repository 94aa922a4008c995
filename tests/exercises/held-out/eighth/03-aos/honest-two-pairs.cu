// honest: two arrays of float2
constexpr int BODIES = 128;

__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float2 xy[BODIES], zm[BODIES];
	const int tid = threadIdx.x, i = blockIdx.x * BODIES + tid;
	const float2 p = {x[i], y[i]}, q = {z[i], mass[i]};
	xy[tid] = p;
	zm[tid] = q;
	__syncthreads();
	const int other = (tid + 2) % BODIES;
	const float2 r = xy[other], s = zm[other];
	float distance = fmaf(r.x - p.x, r.x - p.x, 1.0f);
	distance = fmaf(r.y - p.y, r.y - p.y, distance);
	distance = fmaf(s.x - q.x, s.x - q.x, distance);
	pull[i] = s.y * q.y / distance;
}
