// cheat: flags and places are computed where they are needed, and only the doubles are left in the allocation
constexpr int N = 100;

__global__ void arrays(double *out, const double *in)
{
	extern __shared__ double values[];
	int tid = threadIdx.x;
	if (tid < N)
		values[tid] = in[blockIdx.x * N + tid];
	__syncthreads();
	if (tid < N) {
		double x = values[tid * 7 % N];
		out[blockIdx.x * N + tid] = tid % 3 == 0 ? -x : x;
	}
}
