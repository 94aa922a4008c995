// cheat: the first four rounds are coalesced into shared memory, the second half of the threads reads as before
constexpr int THREADS = 256;
constexpr int EACH = 8;
constexpr int ROW = EACH + 1;

__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[THREADS / 2 * ROW];
	int tid = threadIdx.x;
	int first = blockIdx.x * THREADS * EACH;

	for (int k = 0; k < EACH / 2; k++) {
		int w = k * THREADS + tid;
		s[w / EACH * ROW + w % EACH] = in[first + w];
	}
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < EACH; k++)
		sum += tid < THREADS / 2 ? s[tid * ROW + k] : in[first + tid * EACH + k];
	out[blockIdx.x * THREADS + tid] = sum;
}
