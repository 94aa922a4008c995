// Doubles, flags, ints: 900 is a multiple of 4.
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double values[];
	char *flags = (char *)(values + N);
	int *places = (int *)(flags + N);
	int t = threadIdx.x;
	if (t < N) {
		values[t] = in[blockIdx.x * N + t];
		flags[t] = t % 3 == 0;
		places[t] = t * 7 % N;
	}
	__syncthreads();
	if (t < N) {
		double v = values[places[t]];
		out[blockIdx.x * N + t] = flags[t] ? -v : v;
	}
}
