// Task: a block needs 100 bytes of flags, 100 doubles and 100 ints in dynamic shared
// memory, and the launch gives it exactly that many bytes. In this order the doubles
// start at byte 100. Find an order in which every array starts at a multiple of its
// element size, without padding.
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ char buffer[];
	char *flags = buffer;
	double *values = (double *)&flags[N];
	int *places = (int *)&values[N];
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
