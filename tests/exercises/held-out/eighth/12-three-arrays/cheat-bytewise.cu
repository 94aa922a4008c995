// cheat: the starter's order with the misaligned doubles, which are copied byte by byte
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ char buffer[];
	volatile char *flags = buffer, *values = buffer + N, *places = buffer + 9 * N;
	int tid = threadIdx.x;
	if (tid < N) {
		double x = in[blockIdx.x * N + tid];
		int place = tid * 7 % N;
		for (int b = 0; b < 8; b++)
			values[8 * tid + b] = (char)(__double_as_longlong(x) >> 8 * b);
		for (int b = 0; b < 4; b++)
			places[4 * tid + b] = (char)(place >> 8 * b);
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N) {
		int place = 0;
		long long bits = 0;
		for (int b = 0; b < 4; b++)
			place |= (int)(unsigned char)places[4 * tid + b] << 8 * b;
		for (int b = 0; b < 8; b++)
			bits |= (long long)(unsigned char)values[8 * place + b] << 8 * b;
		double x = __longlong_as_double(bits);
		out[blockIdx.x * N + tid] = flags[tid] ? -x : x;
	}
}
