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
