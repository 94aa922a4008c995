// barrier and shared memory for show
__global__ void shifted(int *out, const int *in, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ volatile int s[256]; s[tid] = 0; __syncthreads(); if (i < n) out[i] = tid + 1 < 256 && i + 1 < n ? in[i + 1] : 0;
}
