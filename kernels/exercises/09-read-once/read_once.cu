// Task: in[] is in mapped host memory, and this kernel reads every word of it more
// than once. Let each word cross the link a single time, and find each maximum by
// a reduction.
//
// Blocks of 256 threads and words; out[i] is the distance of in[i] to the maximum
// of its block's words.
constexpr int THREADS = 256;

__global__ void distance(unsigned *out, const unsigned *in)
{
	int first = blockIdx.x * THREADS;
	int i = first + threadIdx.x;

	unsigned most = 0;
	for (int k = 0; k < THREADS; k++)
		most = max(most, in[first + k]);
	out[i] = most - in[i];
}
