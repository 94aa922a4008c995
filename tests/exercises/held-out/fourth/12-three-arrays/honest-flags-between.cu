// Doubles, flags, ints: 900 is a multiple of four, too.
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double values[];
	char *flags = (char *)(values + 100);
	int *places = (int *)(flags + 100);
	const int tid = threadIdx.x;
	if (tid < 100) {
		values[tid] = in[blockIdx.x * 100 + tid];
		places[tid] = tid * 7 % 100;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid >= 100)
		return;
	const double e = values[places[tid]];
	out[blockIdx.x * 100 + tid] = flags[tid] ? -e : e;
}
