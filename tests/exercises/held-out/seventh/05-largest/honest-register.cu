// the own word stays in a register; template unrolled
template<unsigned D> __device__ void halve(int *s, int &own, unsigned tid)
{
	if (tid < D) { own = max(own, s[tid + D]); s[tid] = own; }
	__syncthreads();
	if constexpr (D > 1) halve<D / 2>(s, own, tid);
}
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[256];
	unsigned tid = threadIdx.x;
	int own = v[blockIdx.x * 256 + tid];
	s[tid] = own;
	__syncthreads();
	halve<128>(s, own, tid);
	if (tid == 0) most[blockIdx.x] = own;
}
