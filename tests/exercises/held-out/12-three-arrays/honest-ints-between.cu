__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double doubles[];
	int *places = reinterpret_cast<int *>(doubles + 100);
	bool *flags = reinterpret_cast<bool *>(places + 100);
	const int t = threadIdx.x;
	if (t < 100) {
		doubles[t] = in[blockIdx.x * 100 + t];
		places[t] = 7 * t % 100;
		flags[t] = t % 3 == 0;
	}
	__syncthreads();
	if (t < 100) {
		const double v = doubles[places[t]];
		out[blockIdx.x * 100 + t] = flags[t] ? -v : v;
	}
}
