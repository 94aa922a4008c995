// right order, but thread 0 fills the arrays
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
extern __shared__ double values[]; int *places = (int *)(values + N); char *flags = (char *)(places + N); if (tid == 0) for (int k = 0; k < N; k++) { values[k] = in[blockIdx.x * N + k]; places[k] = k * 7 % N; flags[k] = k % 3 == 0; } __syncthreads(); if (tid < N) out[blockIdx.x * N + tid] = flags[tid] ? -values[places[tid]] : values[places[tid]];
}
