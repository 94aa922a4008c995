// Task: in[] is in mapped host memory. The threads of a warp read words with a
// stride of 32 bytes, eight times. Make every request one of four sectors.
//
// Blocks of 256 threads; a thread sums eight neighboring words.
constexpr int THREADS = 256;
constexpr int EACH = 8;

__global__ void eights(unsigned *out, const unsigned *in)
{
	int i = blockIdx.x * THREADS + threadIdx.x;

	unsigned sum = 0;
	for (int k = 0; k < EACH; k++)
		sum += in[EACH * i + k];
	out[i] = sum;
}
