// Static arrays instead of the launch's bytes.
__global__ void arrays(double *out, const double *in)
{
	__shared__ double values[100];
	__shared__ int places[100];
	__shared__ char flags[100];
	int tid = threadIdx.x;
	if (tid < 100) {
		values[tid] = in[blockIdx.x * 100 + tid];
		places[tid] = (tid * 7) % 100;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < 100)
		out[blockIdx.x * 100 + tid] = flags[tid] ? -values[places[tid]] : values[places[tid]];
}
