// A warp takes 64 bytes from each of two lines.
constexpr int THREADS = 256;
constexpr int EACH = 8;
constexpr int ROW = EACH + 1;

__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[THREADS * ROW];
	int tid = threadIdx.x;
	int first = blockIdx.x * THREADS * EACH;

	for (int k = 0; k < EACH; k++) {
		int w = k / 2 * 2 * THREADS + tid / 16 * 32 + k % 2 * 16 + tid % 16;
		s[w / EACH * ROW + w % EACH] = in[first + w];
	}
	__syncthreads();
	unsigned sum = 0;
	for (int k = 0; k < EACH; k++)
		sum += s[tid * ROW + k];
	out[blockIdx.x * THREADS + tid] = sum;
}
