// a loop with compare-and-swap per thread
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
if (i < n && in[i] > limit) { unsigned o = *(volatile unsigned *)found, e; do { e = o; o = atomicCAS(found, e, e + 1); } while (o != e); }
}
