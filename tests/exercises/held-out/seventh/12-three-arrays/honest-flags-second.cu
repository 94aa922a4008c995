// doubles, flags, ints: 900 is a multiple of 4
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
extern __shared__ double values[]; char *flags = (char *)(values + N); int *places = (int *)(flags + N); if (tid < N) { values[tid] = in[blockIdx.x * N + tid]; places[tid] = (tid * 7) % N; flags[tid] = tid % 3 == 0; } __syncthreads(); if (tid < N) out[blockIdx.x * N + tid] = flags[tid] ? -values[places[tid]] : values[places[tid]];
}
