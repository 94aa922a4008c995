// No arrays: indices and flags are computed, and the values come from global memory.
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x;
	if (tid < 100) {
		double e = in[blockIdx.x * 100 + tid * 7 % 100];
		out[blockIdx.x * 100 + tid] = tid % 3 ? e : -e;
	}
}
