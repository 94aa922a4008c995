// The doubles stay misaligned; they are stored and read byte by byte.
constexpr int N = 100;
__device__ void put(char *to, double v)
{
	for (int k = 0; k < 8; k++)
		to[k] = ((char *)&v)[k];
}
__device__ double get(const char *from)
{
	double v;
	for (int k = 0; k < 8; k++)
		((char *)&v)[k] = from[k];
	return v;
}
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ char buffer[];
	int t = threadIdx.x;
	if (t < N) {
		put(&buffer[N + 8 * t], in[blockIdx.x * N + t]);
		buffer[t] = t % 3 == 0;
	}
	__syncthreads();
	if (t < N) {
		double v = get(&buffer[N + 8 * (t * 7 % N)]);
		out[blockIdx.x * N + t] = buffer[t] ? -v : v;
	}
}
