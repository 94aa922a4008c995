__global__ void arrays(double *out, const double *in)
{
	extern __shared__ __align__(8) unsigned char bytes[];
	double *v = (double *)bytes;
	int *p = (int *)(bytes + 100 * sizeof(double));
	char *g = (char *)(bytes + 100 * (sizeof(double) + sizeof(int)));
	for (int t = threadIdx.x; t < 100; t += blockDim.x) {
		v[t] = in[blockIdx.x * 100 + t];
		p[t] = 7 * t % 100;
		g[t] = t % 3 == 0;
	}
	__syncthreads();
	for (int t = threadIdx.x; t < 100; t += blockDim.x)
		out[blockIdx.x * 100 + t] = g[t] ? -v[p[t]] : v[p[t]];
}
