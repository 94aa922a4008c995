// Task: a block needs 100 bytes of flags, 100 doubles and 100 ints in dynamic shared
// memory, and the launch gives it exactly as many bytes as these take. In this order
// the doubles begin at byte 100. Find an order in which every array begins where its
// elements may lie, without a byte in between.
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ char room[];
	char *flags = room;
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
