// thread 0 looks at all elements of the block
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (tid == 0) { unsigned c = 0; for (int k = i; k < min(n, i + (int)blockDim.x); k++) c += in[k] > limit; atomicAdd(found, c); }
}
