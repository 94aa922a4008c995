// only the doubles in shared memory, no other arrays
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
extern __shared__ double values[]; if (tid < N) values[tid] = in[blockIdx.x * N + tid]; __syncthreads(); if (tid < N) { double v = values[tid * 7 % N]; out[blockIdx.x * N + tid] = tid % 3 == 0 ? -v : v; }
}
