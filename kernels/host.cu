// Transfers between host and GPU. The kernels cannot tell whether a pointer leads
// to the GPU's own memory or to host memory.

// Each thread copies one word; neighboring threads copy neighboring words.
__global__ void copy(unsigned *out, const unsigned *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i];
}

// The same words, each read once, but neighboring threads read with a stride of
// `stride` words. n is a multiple of stride.
__global__ void gather(unsigned *out, const unsigned *in, int n, int stride)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int row = i % (n / stride), column = i / (n / stride);
	if (i < n)
		out[i] = in[row * stride + column];
}

// Work on a chunk: elements first .. first + count - 1 of vectors of any length.
// Each word goes through `iterations` steps of a random number generator.
__global__ void mix(unsigned *out, const unsigned *in, int first, int count,
                    int iterations)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	unsigned x = in[first + i];
	for (int r = 0; r < iterations; r++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	out[first + i] = x;
}
