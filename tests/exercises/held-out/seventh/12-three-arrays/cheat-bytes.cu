// the old order, doubles copied byte by byte
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
extern __shared__ char buffer[]; char *flags = buffer, *v = buffer + N; int *places = (int *)(v + 8 * N); if (tid < N) { double x = in[blockIdx.x * N + tid]; for (int k = 0; k < 8; k++) v[8 * tid + k] = ((char *)&x)[k]; places[tid] = tid * 7 % N; flags[tid] = tid % 3 == 0; } __syncthreads(); if (tid < N) { double x; for (int k = 0; k < 8; k++) ((char *)&x)[k] = v[8 * places[tid] + k]; out[blockIdx.x * N + tid] = flags[tid] ? -x : x; }
}
