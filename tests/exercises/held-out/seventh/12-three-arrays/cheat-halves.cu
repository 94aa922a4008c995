// the old order, doubles as pairs of ints
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
extern __shared__ int b4[]; char *flags = (char *)b4; int *v = b4 + 25, *places = v + 200; if (tid < N) { double x = in[blockIdx.x * N + tid]; v[2 * tid] = __double2loint(x); v[2 * tid + 1] = __double2hiint(x); places[tid] = tid * 7 % N; flags[tid] = tid % 3 == 0; } __syncthreads(); if (tid < N) { int p = places[tid]; double x = __hiloint2double(v[2 * p + 1], v[2 * p]); out[blockIdx.x * N + tid] = flags[tid] ? -x : x; }
}
