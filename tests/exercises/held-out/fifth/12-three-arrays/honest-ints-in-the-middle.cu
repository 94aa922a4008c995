// Doubles, ints, bytes, as pointers from one to the next; a loop fills them, for any number of threads.
constexpr int N = 100;
extern __shared__ double memory[];
__global__ void arrays(double *out, const double *in)
{
	double *values = memory;
	int *places = reinterpret_cast<int *>(values + N);
	signed char *flags = reinterpret_cast<signed char *>(places + N);
	const double *from = in + blockIdx.x * N;
	for (int k = threadIdx.x; k < N; k += blockDim.x) {
		values[k] = from[k];
		places[k] = k * 7 % N;
		flags[k] = k % 3 ? 0 : 1;
	}
	__syncthreads();
	for (int k = threadIdx.x; k < N; k += blockDim.x) {
		const double value = values[places[k]];
		out[blockIdx.x * N + k] = flags[k] ? -value : value;
	}
}
