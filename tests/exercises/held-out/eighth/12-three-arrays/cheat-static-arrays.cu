// cheat: three static arrays next to the dynamic allocation, which stays unused
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	__shared__ char flags[N];
	__shared__ double values[N];
	__shared__ int places[N];
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
