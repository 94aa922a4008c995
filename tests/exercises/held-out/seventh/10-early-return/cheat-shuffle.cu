// shuffles; global memory for the last lane
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
int v = i < n ? in[i] : 0, u = __shfl_down_sync(~0u, v, 1); __syncthreads(); if (i < n) { if (tid % 32 == 31 && tid < 255 && i + 1 < n) u = in[i + 1]; out[i] = tid < 255 && i + 1 < n ? u : 0; }
}
