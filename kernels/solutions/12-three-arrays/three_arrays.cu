// The widest elements first: doubles at byte 0, ints at byte 800, a multiple of 4; chars may
// start at any byte.
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double buffer[];
	double *values = buffer;
	int *places = (int *)&values[N];
	char *flags = (char *)&places[N];
	int tid = threadIdx.x;

	if (tid < N) {
		values[tid] = in[blockIdx.x * N + tid];
		places[tid] = (tid * 7) % N;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N)
		out[blockIdx.x * N + tid] = flags[tid] ? -values[places[tid]] : values[places[tid]];
}
