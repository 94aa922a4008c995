extern "C" __global__ void shuffles(int *out, const int *in)
{
	int l = threadIdx.x, v = in[l];
	out[l] = __shfl_down_sync(~0u, v, 3);
	out[32 + l] = __shfl_up_sync(~0u, v, 5);
	out[64 + l] = __shfl_xor_sync(~0u, v, 9);
	out[96 + l] = __shfl_sync(~0u, v, l * 7, 16);
	out[128 + l] = __shfl_down_sync(~0u, v, 2, 8);
}

extern "C" __global__ void votes(unsigned *out, const int *in)
{
	int l = threadIdx.x, v = in[l];
	out[l] = __ballot_sync(~0u, v > 100);
	out[32 + l] = __all_sync(~0u, v >= 0) + 2 * __any_sync(~0u, v == 93) + 4 * __all_sync(~0u, v > 3);
	out[64 + l] = __match_any_sync(~0u, v / 64);
	if (l & 1)
		out[96 + l] = __activemask();
	else
		out[96 + l] = __popc(__ballot_sync(0x55555555, l > 7));
}

extern "C" __global__ void sum(float *out, const float *in, int n)
{
	__shared__ float part[32];
	float v = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		v += in[i];
	for (int d = 16; d; d >>= 1)
		v += __shfl_down_sync(~0u, v, d);
	if (threadIdx.x % 32 == 0)
		part[threadIdx.x / 32] = v;
	__syncthreads();
	if (threadIdx.x < 32) {
		v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
		for (int d = 16; d; d >>= 1)
			v += __shfl_down_sync(~0u, v, d);
		if (threadIdx.x == 0)
			atomicAdd(out, v);
	}
}

extern "C" __global__ void tree(int *out, const int *in)
{
	extern __shared__ int s[];
	s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
	__syncthreads();
	for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
		if (threadIdx.x < d)
			s[threadIdx.x] += s[threadIdx.x + d];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = s[0];
}
