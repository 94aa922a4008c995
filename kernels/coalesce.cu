// How a warp's accesses to global memory become sectors and transactions. Most
// kernels copy, the last four add three words, so that their reads can be
// verified; they differ in the addresses that a thread reads.

// Consecutive elements, starting k elements after an aligned address.
__global__ void offset(float *out, const float *in, int k, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i + k];
}

// Every k-th element.
__global__ void stride(float *out, const float *in, int k, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i * k];
}

// Consecutive elements in another order: bits of the index are flipped, only
// among the lowest five, so that a warp stays within its 32 elements. n is a
// multiple of 32.
__global__ void flip(float *out, const float *in, int bits, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i ^ bits];
}

// Three reads that overlap with those of neighboring threads: which cache
// delivers the second and third? in[] has two more elements at the end.
__global__ void three(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i] + in[i + 1] + in[i + 2];
}

// The same with the promise that the kernel does not write to in[]: the
// compiler may use the read-only data path.
__global__ void three_restrict(float *__restrict__ out,
	const float *__restrict__ in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i] + in[i + 1] + in[i + 2];
}

// The same, requested per load.
__global__ void three_ldg(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = __ldg(&in[i]) + __ldg(&in[i + 1]) + __ldg(&in[i + 2]);
}

// The same past L1: each load goes to the L2 cache.
__global__ void three_cg(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = __ldcg(&in[i]) + __ldcg(&in[i + 1]) + __ldcg(&in[i + 2]);
}
