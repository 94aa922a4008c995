// cheat: all requests have four sectors, but the block fetches its words again for each of the eight summands
constexpr int THREADS = 256;
constexpr int EACH = 8;

__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[THREADS];
	int tid = threadIdx.x;
	const volatile unsigned *from = in + blockIdx.x * THREADS * EACH;

	unsigned sum = 0;
#pragma unroll 1
	for (int k = 0; k < EACH; k++)
#pragma unroll 1
		for (int part = 0; part < EACH; part++) {
			s[tid] = from[part * THREADS + tid];
			__syncthreads();
			if (tid / (THREADS / EACH) == part)
				sum += s[tid % (THREADS / EACH) * EACH + k];
			__syncthreads();
		}
	out[blockIdx.x * THREADS + tid] = sum;
}
