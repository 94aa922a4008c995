// no arrays but the values from global memory
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (tid < N) { double v = in[blockIdx.x * N + tid * 7 % N]; out[blockIdx.x * N + tid] = tid % 3 == 0 ? -v : v; }
}
