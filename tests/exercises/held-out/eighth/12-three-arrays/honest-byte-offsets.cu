// honest: doubles, ints, chars at named byte offsets
constexpr int N = 100;
constexpr int PLACES = N * sizeof(double), FLAGS = PLACES + N * sizeof(int);

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ __align__(16) char memory[];
	auto values = reinterpret_cast<double *>(memory);
	auto places = reinterpret_cast<int *>(memory + PLACES);
	auto flags = reinterpret_cast<bool *>(memory + FLAGS);
	for (int k = threadIdx.x; k < N; k += blockDim.x) {
		values[k] = in[blockIdx.x * N + k];
		places[k] = (k * 7) % N;
		flags[k] = k % 3 == 0;
	}
	__syncthreads();
	for (int k = threadIdx.x; k < N; k += blockDim.x) {
		const double sign = flags[k] ? -1.0 : 1.0;
		out[blockIdx.x * N + k] = sign * values[places[k]];
	}
}
