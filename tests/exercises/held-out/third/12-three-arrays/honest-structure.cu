// A structure, whose members have that order.
constexpr int N = 100;

struct Arrays {
	double values[N];
	int places[N];
	char flags[N];
};

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double buffer[];
	Arrays &shared = *reinterpret_cast<Arrays *>(buffer);
	auto &values = shared.values;
	auto &places = shared.places;
	auto &flags = shared.flags;
	int tid = threadIdx.x;

	if (tid < N) {
		values[tid] = in[blockIdx.x * N + tid];
		places[tid] = (tid * 7) % N;
		flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N)
		out[blockIdx.x * N + tid] = flags[tid] ? -values[places[tid]] : values[places[tid]];
}
