// A block loads its words coalesced and sums them from shared memory, where each
// row of eight words is padded to nine: no bank conflicts.
constexpr int THREADS = 256;
constexpr int EACH = 8;
constexpr int ROW = EACH + 1;

__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[THREADS * ROW];
	int tid = threadIdx.x;
	int first = blockIdx.x * THREADS * EACH;

	for (int k = 0; k < EACH; k++) {
		int w = k * THREADS + tid;
		s[w / EACH * ROW + w % EACH] = in[first + w];
	}
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < EACH; k++)
		sum += s[tid * ROW + k];
	out[blockIdx.x * THREADS + tid] = sum;
}
