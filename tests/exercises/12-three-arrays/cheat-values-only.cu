__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double values[];
	int tid = threadIdx.x;
	if (tid < 100) {
		values[tid] = in[blockIdx.x * 100 + tid];
		((volatile int *)(values + 100))[tid] = 0;
		((volatile char *)(values + 150))[tid] = 0;
	}
	__syncthreads();
	if (tid < 100) {
		double v = values[tid * 7 % 100];
		out[blockIdx.x * 100 + tid] = tid % 3 == 0 ? -v : v;
	}
}
