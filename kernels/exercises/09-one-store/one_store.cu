// Task: counts[] is in mapped host memory, and every even word is added there
// separately. Let each block send a single store over the link, and nothing else.
//
// Blocks of 256 threads and 1024 words; counts[b] is how many words of block b are even.
constexpr int THREADS = 256;
constexpr int EACH = 4;

__global__ void even(unsigned *counts, const unsigned *words)
{
	int first = blockIdx.x * THREADS * EACH;
	for (int k = 0; k < EACH; k++)
		if (words[first + k * THREADS + threadIdx.x] % 2 == 0)
			atomicAdd(&counts[blockIdx.x], 1u);
}
