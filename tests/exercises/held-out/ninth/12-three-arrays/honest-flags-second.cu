// honest: doubles at 0, flags at 800, ints at 900: 900 is a multiple of four
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double values[];
	char *flags = reinterpret_cast<char *>(values + N);
	int *places = reinterpret_cast<int *>(flags + N);
	const int tid = threadIdx.x;
	const bool active = tid < N;

	if (active) {
		values[tid] = in[blockIdx.x * N + tid];
		places[tid] = 7 * tid % N;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (!active)
		return;
	double value = values[places[tid]];
	if (flags[tid])
		value = -value;
	out[blockIdx.x * N + tid] = value;
}
