// How a warp's accesses to global memory become transfers. All kernels copy, so
// that what they read is seen to be right; what differs is where a thread
// reads.

// Neighbouring elements, beginning k elements after a boundary.
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

// Neighbouring elements in another order: bits of the index are flipped, at
// most the lowest five, so that a warp stays within its 32 elements. n is a
// multiple of 32.
__global__ void flip(float *out, const float *in, int bits, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i ^ bits];
}

// Three reads that overlap with those of the neighbours: who serves the second
// and the third? in[] has an element more on each side.
__global__ void three(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i] + in[i + 1] + in[i + 2];
}

// The same with the promise that nobody writes to in[] meanwhile: the compiler
// may use the read-only cache.
__global__ void three_restrict(float *__restrict__ out,
	const float *__restrict__ in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i] + in[i + 1] + in[i + 2];
}

// The same, told so for each access.
__global__ void three_ldg(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = __ldg(&in[i]) + __ldg(&in[i + 1]) + __ldg(&in[i + 2]);
}

// The same past the first cache: each access goes to the second.
__global__ void three_cg(float *out, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = __ldcg(&in[i]) + __ldcg(&in[i + 1]) + __ldcg(&in[i + 2]);
}
