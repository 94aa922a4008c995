// Straight from global memory.
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x;
	if (tid < 100) {
		double v = in[blockIdx.x * 100 + tid * 7 % 100];
		out[blockIdx.x * 100 + tid] = tid % 3 == 0 ? -v : v;
	}
}
