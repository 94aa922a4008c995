// the old order with 4 bytes of padding
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
extern __shared__ double b8[]; char *flags = (char *)b8; double *values = (double *)(flags + 104); int *places = (int *)(values + N); if (tid < N) { values[tid] = in[blockIdx.x * N + tid]; places[tid] = (tid * 7) % N; flags[tid] = tid % 3 == 0; } __syncthreads(); if (tid < N) out[blockIdx.x * N + tid] = flags[tid] ? -values[places[tid]] : values[places[tid]];
}
