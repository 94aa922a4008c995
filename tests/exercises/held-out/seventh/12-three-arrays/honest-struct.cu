// a struct laid over the buffer
constexpr int N = 100;
__global__ void arrays(double *out, const double *in)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
struct Arrays { double values[N]; int places[N]; char flags[N]; }; extern __shared__ double buffer[]; Arrays &a = *(Arrays *)buffer; if (tid < N) { a.values[tid] = in[blockIdx.x * N + tid]; a.places[tid] = (tid * 7) % N; a.flags[tid] = tid % 3 == 0; } __syncthreads(); if (tid >= N) return; double v = a.values[a.places[tid]]; out[blockIdx.x * N + tid] = a.flags[tid] ? -v : v;
}
