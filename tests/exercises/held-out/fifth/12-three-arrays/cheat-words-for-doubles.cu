// The order is as it was; each double is kept as two unaligned-proof words.
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	extern __shared__ __align__(16) char buffer[];
	char *flags = buffer;
	int *values = (int *)&flags[N], *places = &values[2 * N];
	int tid = threadIdx.x;
	if (tid < N) {
		double x = in[blockIdx.x * N + tid];
		values[2 * tid] = __double2loint(x);
		values[2 * tid + 1] = __double2hiint(x);
		places[tid] = (tid * 7) % N;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N) {
		int k = places[tid];
		double x = __hiloint2double(values[2 * k + 1], values[2 * k]);
		out[blockIdx.x * N + tid] = flags[tid] ? -x : x;
	}
}
