// cheat: the order stays and the doubles stay misaligned: they are moved byte by byte
constexpr int N = 100;

__device__ void put(char *at, double x)
{
	for (int b = 0; b < 8; b++)
		at[b] = ((const char *)&x)[b];
}

__device__ double get(const char *at)
{
	double x;
	for (int b = 0; b < 8; b++)
		((char *)&x)[b] = at[b];
	return x;
}

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ char buffer[];
	char *flags = buffer;
	char *values = &flags[N];
	int *places = (int *)&values[8 * N];
	int tid = threadIdx.x;

	if (tid < N) {
		put(&values[8 * tid], in[blockIdx.x * N + tid]);
		places[tid] = (tid * 7) % N;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N) {
		double value = get(&values[8 * places[tid]]);
		out[blockIdx.x * N + tid] = flags[tid] ? -value : value;
	}
}
