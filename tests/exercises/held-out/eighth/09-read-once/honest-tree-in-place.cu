// honest: a tree in which the running maximum stays in a register
template<int D> __device__ void tree(unsigned *s, unsigned &most, int tid)
{
	__syncthreads();
	if (tid < D)
		s[tid] = most = max(most, s[tid + D]);
	if constexpr (D > 1)
		tree<D / 2>(s, most, tid);
}

__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	const int tid = threadIdx.x;
	const unsigned word = in[blockIdx.x * 256 + tid];
	unsigned most = word;
	s[tid] = word;
	tree<128>(s, most, tid);
	__syncthreads();
	out[blockIdx.x * 256 + tid] = s[0] - word;
}
