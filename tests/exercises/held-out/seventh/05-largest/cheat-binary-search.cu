// finds the maximum bit by bit with block votes
constexpr unsigned THREADS = 256;
__global__ void largest(int *most, const int *v)
{
	unsigned x = v[blockIdx.x * THREADS + threadIdx.x] ^ 0x80000000u, m = 0;
	bool in = true;
	for (int b = 31; b >= 0; b--) {
		bool one = in && (x >> b & 1);
		if (__syncthreads_or(one)) { m |= 1u << b; in = one; }
	}
	if (threadIdx.x == 0) most[blockIdx.x] = m ^ 0x80000000u;
}
