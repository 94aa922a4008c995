// === cheat-serial
// One warp computes all 128.
__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ float s[4][128];
	if (threadIdx.x >= 32)
		return;
	int first = blockIdx.x * 128;
	for (int t = threadIdx.x; t < 128; t += 32) {
		s[0][t] = x[first + t];
		s[1][t] = y[first + t];
		s[2][t] = z[first + t];
		s[3][t] = mass[first + t];
	}
	__syncwarp();
	for (int t = threadIdx.x; t < 128; t += 32) {
		int o = (t + 2) % 128;
		float dx = s[0][o] - s[0][t], dy = s[1][o] - s[1][t], dz = s[2][o] - s[2][t];
		pull[first + t] = s[3][o] * s[3][t] / (dx * dx + dy * dy + dz * dz + 1.0f);
	}
}

// === honest-float4
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

// === honest-padded
// Five words per body: an odd stride has no conflicts.
struct Body {
	float x, y, z, mass, padding;
};
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ Body bodies[128];
	int t = threadIdx.x, i = blockIdx.x * 128 + t;
	float ox = x[i], oy = y[i], oz = z[i], om = mass[i];
	bodies[t].x = ox;
	bodies[t].y = oy;
	bodies[t].z = oz;
	bodies[t].mass = om;
	__syncthreads();
	const Body *o = &bodies[(t + 2) & 127];
	float dx = o->x - ox, dy = o->y - oy, dz = o->z - oz;
	pull[i] = o->mass * om / (dx * dx + dy * dy + dz * dz + 1.0f);
}

// === honest-rows
// One array with a row per component.
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ float s[4][128];
	int t = threadIdx.x, i = blockIdx.x * 128 + t, o = (t + 2) % 128;
	float a = s[0][t] = x[i], b = s[1][t] = y[i], c = s[2][t] = z[i], m = s[3][t] = mass[i];
	__syncthreads();
	float dx = s[0][o] - a, dy = s[1][o] - b, dz = s[2][o] - c;
	pull[i] = s[3][o] * m / (dx * dx + dy * dy + dz * dz + 1.0f);
}

// === honest-fifth-word
// A structure of five words, copied whole.
struct Body {
	float x, y, z, mass, unused;
};
__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	__shared__ Body bodies[128];
	int t = threadIdx.x, i = blockIdx.x * 128 + t;
	Body own = {x[i], y[i], z[i], mass[i]};
	bodies[t] = own;
	__syncthreads();
	int other = (t + 2) % 128;
	float dx = bodies[other].x - own.x, dy = bodies[other].y - own.y, dz = bodies[other].z - own.z;
	pull[i] = bodies[other].mass * own.mass / (dx * dx + dy * dy + dz * dz + 1.0f);
}

// === cheat-edges-only
// The first two bodies of each warp are in shared memory, the others are shuffled.
// - constexpr int
// + __device__ float of(const float *s, int i, float x) { x = __shfl_sync(~0u, x, i % 32); return i % 32 < 2 ? s[i] : x; } constexpr int
// - xs[tid] =
// + if (tid % 32 < 2) xs[tid] =
// - ys[tid] =
// + if (tid % 32 < 2) ys[tid] =
// - zs[tid] =
// + if (tid % 32 < 2) zs[tid] =
// - masses[tid] =
// + if (tid % 32 < 2) masses[tid] =
// - xs[other]
// + of(xs, other, own_x)
// - ys[other]
// + of(ys, other, own_y)
// - zs[other]
// + of(zs, other, own_z)
// - masses[other]
// + of(masses, other, own_mass)
