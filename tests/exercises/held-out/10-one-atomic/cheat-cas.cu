// A lock around plain additions... by compare-and-swap of the count itself.
__global__ void above(unsigned *found, const int *in, int limit, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && in[i] > limit) {
		unsigned seen = *(volatile unsigned *)found, old;
		do {
			old = seen;
			seen = atomicCAS(found, old, old + 1);
		} while (seen != old);
	}
}
