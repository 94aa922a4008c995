// A structure whose members descend in size.
struct Arrays {
	double values[100];
	int places[100];
	char flags[100];
};
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double memory[];
	Arrays &s = *(Arrays *)memory;
	unsigned tid = threadIdx.x, i = blockIdx.x * 100 + tid;
	if (tid < 100) {
		s.places[tid] = 7 * tid % 100;
		s.flags[tid] = !(tid % 3);
		s.values[tid] = in[i];
	}
	__syncthreads();
	if (tid >= 100)
		return;
	double value = s.values[s.places[tid]];
	out[i] = s.flags[tid] ? -value : value;
}
