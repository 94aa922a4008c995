// answers in shared memory, thread 0 adds them one by one
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
__shared__ unsigned char s[1024]; s[tid] = i < n && in[i] > limit; __syncthreads(); if (tid == 0) { unsigned c = 0; for (int k = 0; k < blockDim.x; k++) c += s[k]; atomicAdd(found, c); }
}
