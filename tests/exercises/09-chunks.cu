// === honest-inside
// The test encloses the work.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k < count)
		out[first + k] = (first + k) * in[first + k];
}

// === honest-pointers
// Pointers to the chunk's beginning.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	out += first;
	in += first;
	unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k >= (unsigned)count)
		return;
	unsigned factor = first + k;
	out[k] = factor * in[k];
}

// === honest-stride
// A grid-stride loop over the chunk.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int end = first + count;
	for (int i = first + blockIdx.x * blockDim.x + threadIdx.x; i < end; i += gridDim.x * blockDim.x)
		out[i] = i * in[i];
}

// === cheat-first-of-a-block
// Right if the chunk begins at a multiple of the block's threads.
// - blockIdx.x * blockDim.x + threadIdx.x
// + (first / blockDim.x + blockIdx.x) * blockDim.x + threadIdx.x - first
