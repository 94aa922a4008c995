// The order stays, and the doubles are copied byte by byte.
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ char buffer[];
	char *flags = buffer, *values = buffer + 100;
	int *places = (int *)(buffer + 900);
	int tid = threadIdx.x;
	if (tid < 100) {
		double e = in[blockIdx.x * 100 + tid];
		for (int k = 0; k < 8; k++)
			values[8 * tid + k] = ((char *)&e)[k];
		places[tid] = (tid * 7) % 100;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < 100) {
		double e;
		for (int k = 0; k < 8; k++)
			((char *)&e)[k] = values[8 * places[tid] + k];
		out[blockIdx.x * 100 + tid] = flags[tid] ? -e : e;
	}
}
