// === honest-block-first
// the maximum of the block by shuffles, one atomic per block
__global__ void largest(float *most, const float *in, int n)
{
	__shared__ float s[32];
	int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
	float x = i < n ? in[i] : 0;
	for (int d = 16; d; d /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
	if (t % 32 == 0) s[t / 32] = x;
	__syncthreads();
	if (t < 32) {
		x = t < blockDim.x / 32 ? s[t] : 0;
		for (int d = 16; d; d /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
		if (t == 0) atomicMax((int *)most, __float_as_int(x));
	}
}

// === honest-blocks
// The maximum of the block in shared memory, one atomic per block.
__global__ void largest(float *most, const float *in, int n)
{
	__shared__ float s[256];
	int t = threadIdx.x, i = blockIdx.x * 256 + t;
	s[t] = i < n ? in[i] : 0;
	for (int d = 128; d > 0; d /= 2) {
		__syncthreads();
		if (t < d)
			s[t] = fmaxf(s[t], s[t + d]);
	}
	if (t == 0)
		atomicMax((int *)most, __float_as_int(s[0]));
}

// === honest-cas
// Compare and swap until the maximum is at least this thread's.
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = in[i];
	int *at = (int *)most, old = atomicAdd(at, 0);
	while (__int_as_float(old) < x) {
		int seen = atomicCAS(at, old, __float_as_int(x));
		if (seen == old)
			break;
		old = seen;
	}
}

// === honest-warps
// The maximum of the warp first, one atomic per warp.
__global__ void largest(float *most, const float *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = i < n ? in[i] : 0;
	for (int m = 16; m > 0; m /= 2)
		x = fmaxf(x, __shfl_xor_sync(~0u, x, m));
	if (threadIdx.x % 32 == 0)
		atomicMax((unsigned *)most, __float_as_uint(x));
}

// === honest-any-block
// A tree in shared memory for blocks of any size.
__global__ void largest(float *most, const float *in, int n)
{
	__shared__ float s[1024];
	int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
	s[t] = i < n ? in[i] : 0;
	__syncthreads();
	for (int left = blockDim.x; left > 1; left = (left + 1) / 2) {
		int other = t + (left + 1) / 2;
		if (other < left)
			s[t] = fmaxf(s[t], s[other]);
		__syncthreads();
	}
	if (t == 0)
		atomicMax((int *)most, __float_as_int(s[0]));
}
