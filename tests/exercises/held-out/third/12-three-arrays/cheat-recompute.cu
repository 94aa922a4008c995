// Only the doubles are stored; the others are computed again.
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double buffer[];
	double *values = buffer;
	int tid = threadIdx.x;

	if (tid < N) {
		values[tid] = in[blockIdx.x * N + tid];
	}
	__syncthreads();
	if (tid < N)
		out[blockIdx.x * N + tid] = tid % 3 == 0 ? -values[tid * 7 % N] : values[tid * 7 % N];
}
