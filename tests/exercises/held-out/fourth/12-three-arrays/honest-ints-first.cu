// Ints, doubles, flags: 400 is a multiple of eight.
template <typename T> __device__ T *at(char *base, int byte)
{
	return reinterpret_cast<T *>(base + byte);
}
extern __shared__ __align__(8) char memory[];
__global__ void arrays(double *out, const double *in)
{
	int *places = at<int>(memory, 0);
	double *values = at<double>(memory, 400);
	char *flags = at<char>(memory, 1200);
	for (int t = threadIdx.x; t < 100; t += blockDim.x) {
		values[t] = in[blockIdx.x * 100 + t];
		places[t] = 7 * t % 100;
		flags[t] = t % 3 ? 0 : 1;
	}
	__syncthreads();
	for (int t = threadIdx.x; t < 100; t += blockDim.x) {
		double e = values[places[t]];
		out[blockIdx.x * 100 + t] = flags[t] ? -e : e;
	}
}
