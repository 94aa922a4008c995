// cheat: the old order stays: the doubles at byte 100 are stored as pairs of ints, which need only 4-byte alignment
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ int words[];
	char *flags = (char *)words;
	int *halves = words + N / 4;
	int *places = halves + 2 * N;
	int tid = threadIdx.x;
	if (tid < N) {
		double x = in[blockIdx.x * N + tid];
		halves[2 * tid] = __double2loint(x);
		halves[2 * tid + 1] = __double2hiint(x);
		places[tid] = (tid * 7) % N;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N) {
		int p = places[tid];
		double x = __hiloint2double(halves[2 * p + 1], halves[2 * p]);
		out[blockIdx.x * N + tid] = flags[tid] ? -x : x;
	}
}
