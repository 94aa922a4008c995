// cheat: the order stays, four bytes of padding follow the flags, and the ints shrink to bytes to make room
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ __align__(8) char buffer[];
	char *flags = buffer;
	double *values = (double *)&flags[N + 4];
	unsigned char *places = (unsigned char *)&values[N];
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
