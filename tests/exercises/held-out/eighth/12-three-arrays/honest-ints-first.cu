// honest: the ints first: 100 of them end at byte 400, a multiple of eight, where the doubles start
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double buffer[];
	int *places = (int *)buffer;
	double *values = buffer + N / 2;
	char *flags = (char *)(values + N);
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
