// honest: one structure of ints, doubles and flags: the doubles start at byte 400
constexpr int N = 100;

struct Arrays {
	int places[N];
	double values[N];
	char flags[N];
};

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double buffer[];
	Arrays &a = *(Arrays *)buffer;
	int tid = threadIdx.x;

	if (tid < N) {
		a.values[tid] = in[blockIdx.x * N + tid];
		a.places[tid] = (tid * 7) % N;
		a.flags[tid] = tid % 3 == 0;
	}
	__syncthreads();
	if (tid < N)
		out[blockIdx.x * N + tid] = (a.flags[tid] ? -1 : 1) * a.values[a.places[tid]];
}
