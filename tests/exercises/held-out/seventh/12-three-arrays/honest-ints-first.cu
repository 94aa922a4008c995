// ints, doubles, flags: 400 is a multiple of 8
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
extern __shared__ __align__(8) char buffer[]; int *places = (int *)buffer; double *values = (double *)(places + N); char *flags = (char *)(values + N); if (tid < N) { values[tid] = in[blockIdx.x * N + tid]; places[tid] = (tid * 7) % N; flags[tid] = tid % 3 == 0; } __syncthreads(); if (tid < N) out[blockIdx.x * N + tid] = flags[tid] ? -values[places[tid]] : values[places[tid]];
}
