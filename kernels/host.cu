// Kernels about the way between host and GPU. Which memory a pointer leads to,
// the GPU's own or the host's, the kernel cannot see: that is the point.

// Each thread carries one word, its neighbours the neighbouring ones.
__global__ void carry(unsigned *out, const unsigned *in, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i];
}

// The same words, each read once; but those of neighbouring threads lie `apart`
// words from each other. n is a multiple of apart.
__global__ void gather(unsigned *out, const unsigned *in, int n, int apart)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int row = i % (n / apart), column = i / (n / apart);
	if (i < n)
		out[i] = in[row * apart + column];
}

// Work on a piece: elements first .. first + count - 1 of vectors of any length.
// A word goes through a random number generator `rounds` times.
__global__ void mix(unsigned *out, const unsigned *in, int first, int count,
                    int rounds)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= count)
		return;
	unsigned x = in[first + i];
	for (int r = 0; r < rounds; r++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	out[first + i] = x;
}
