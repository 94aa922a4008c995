__global__ void arrays(double *out, const double *in)
{
	extern __shared__ char buffer[];
	char *flags = buffer, *values = buffer + 100, *places = buffer + 900;
	int tid = threadIdx.x;
	if (tid < 100) {
		double v = in[blockIdx.x * 100 + tid];
		int p = tid * 7 % 100;
		memcpy(values + 8 * tid, &v, 8);
		memcpy(places + 4 * tid, &p, 4);
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < 100) {
		double v;
		int p;
		memcpy(&p, places + 4 * tid, 4);
		memcpy(&v, values + 8 * p, 8);
		out[blockIdx.x * 100 + tid] = flags[tid] ? -v : v;
	}
}
