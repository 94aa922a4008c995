__global__ void neighbors(float *pull, const float *x, const float *y, const float *z, const float *mass)
{
	int t = threadIdx.x, i = blockIdx.x * 128 + t, o = blockIdx.x * 128 + (t + 2) % 128;
	float a = x[i], b = y[i], c = z[i], m = mass[i];
	float p = __shfl_down_sync(~0u, a, 2), q = __shfl_down_sync(~0u, b, 2), r = __shfl_down_sync(~0u, c, 2), w = __shfl_down_sync(~0u, m, 2);
	if (t % 32 > 29) {
		p = x[o];
		q = y[o];
		r = z[o];
		w = mass[o];
	}
	pull[i] = w * m / ((p - a) * (p - a) + (q - b) * (q - b) + (r - c) * (r - c) + 1.0f);
}
