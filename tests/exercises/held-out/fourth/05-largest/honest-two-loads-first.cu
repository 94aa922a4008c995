// Half of the threads start with two elements each, so the tree has one level less.
template <unsigned N> __device__ void level(int *s, unsigned tid)
{
	__syncthreads();
	if (tid < N)
		s[tid] = max(s[tid], s[tid + N]);
	if constexpr (N > 1)
		level<N / 2>(s, tid);
}
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[128];
	unsigned tid = threadIdx.x;
	const int *from = v + blockIdx.x * 256;
	if (tid < 128)
		s[tid] = max(from[tid], from[tid + 128]);
	level<64>(s, tid);
	if (tid == 0)
		most[blockIdx.x] = s[0];
}
