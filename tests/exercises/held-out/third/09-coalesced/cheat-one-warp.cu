// Coalesced, by one of eight warps.
constexpr int THREADS = 256;
constexpr int EACH = 8;
constexpr int ROW = EACH + 1;

__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[THREADS * ROW];
	int tid = threadIdx.x;
	int first = blockIdx.x * THREADS * EACH;

	for (int w = tid; tid < 32 && w < EACH * THREADS; w += 32) {
		s[w / EACH * ROW + w % EACH] = in[first + w];
	}
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < EACH; k++)
		sum += s[tid * ROW + k];
	out[blockIdx.x * THREADS + tid] = sum;
}
