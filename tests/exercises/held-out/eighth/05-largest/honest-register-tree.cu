// honest: the running maximum stays in a register, and threads leave the loop when they are done
constexpr unsigned THREADS = 256;

__global__ void largest(int *most, const int *v)
{
	__shared__ int s[THREADS];
	const unsigned tid = threadIdx.x;
	int top = v[blockIdx.x * THREADS + tid];
	s[tid] = top;
#pragma unroll
	for (unsigned half = THREADS >> 1; half; half >>= 1) {
		__syncthreads();
		if (tid < half) {
			int other = s[tid + half];
			top = other > top ? other : top;
			s[tid] = top;
		}
	}
	if (!tid)
		most[blockIdx.x] = top;
}
