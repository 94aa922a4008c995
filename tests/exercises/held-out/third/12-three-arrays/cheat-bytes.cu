// The order stays; doubles are copied byte by byte.
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ char buffer[];
	char *flags = buffer;
	char *values = &flags[N];
	char *places = &values[8 * N];
	int tid = threadIdx.x;

	if (tid < N) {
		double x = in[blockIdx.x * N + tid];
		memcpy(values + 8 * tid, &x, 8);
		int p = tid * 7 % N;
		memcpy(places + 4 * tid, &p, 4);
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N)
	{
		int p;
		double x;
		memcpy(&p, places + 4 * tid, 4);
		memcpy(&x, values + 8 * p, 8);
		out[blockIdx.x * N + tid] = flags[tid] ? -x : x;
	}
}
