__global__ void arrays(double *out, const double *in)
{
	extern __shared__ char buffer[];
	char *flags = buffer;
	int *halves = (int *)(buffer + 100), *places = (int *)(buffer + 900);
	int tid = threadIdx.x;
	if (tid < 100) {
		double v = in[blockIdx.x * 100 + tid];
		halves[2 * tid] = __double2loint(v);
		halves[2 * tid + 1] = __double2hiint(v);
		places[tid] = tid * 7 % 100;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < 100) {
		int p = places[tid];
		double v = __hiloint2double(halves[2 * p + 1], halves[2 * p]);
		out[blockIdx.x * 100 + tid] = flags[tid] ? -v : v;
	}
}
