// Task: in[] lies in the memory of the host. The threads of a warp read words that
// are 32 bytes apart, eight times over. Let every request fetch one whole line.
//
// Blocks of 256 threads; a thread adds up eight neighbouring words.
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
