struct Bodies {
	float x[128], y[128], z[128], mass[128];
};

__global__ void neighbors(float *pull, const float *x, const float *y,
	const float *z, const float *mass)
{
	__shared__ Bodies b;
	const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	float px = b.x[t] = x[i];
	float py = b.y[t] = y[i];
	float pz = b.z[t] = z[i];
	float pm = b.mass[t] = mass[i];
	__syncthreads();

	const int o = (t + 2) & 127;
	px -= b.x[o];
	py -= b.y[o];
	pz -= b.z[o];
	pull[i] = pm * b.mass[o] / (px * px + py * py + pz * pz + 1);
}
