// === cheat-swar
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i];
		w -= w >> 1 & 0x55555555;
		w = (w & 0x33333333) + (w >> 2 & 0x33333333);
		counts[i] = ((w + (w >> 4)) & 0x0f0f0f0f) * 0x01010101u >> 24;
	}
}

// === cheat-table
// A table of 16 entries in a register constant, eight look-ups.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i], c = 0;
		for (int k = 0; k < 32; k += 4)
			c += (unsigned)(0x4332322132212110ull >> ((w >> k & 15) * 4)) & 15;
		counts[i] = c;
	}
}

// === honest-return
// Returns early, reads through the read-only path.
__global__ void bits(unsigned *counts, const unsigned *__restrict__ words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	counts[i] = __popc(__ldg(words + i));
}

// === cheat-uint4
// Four words for each of a quarter of the threads; the others do nothing.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (4 * i + 3 < n) {
		uint4 w = ((const uint4 *)words)[i];
		((uint4 *)counts)[i] = make_uint4(__popc(w.x), __popc(w.y), __popc(w.z), __popc(w.w));
	} else
		for (int k = 4 * i; k < n; k++)
			counts[k] = __popc(words[k]);
}

// === honest-zeros
// Counts the zeros and subtracts.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < n)
		counts[i] = 32 - __popc(~words[i]);
}

// === honest-zeros-in-a-loop
// The zeros of a word, in a loop over the elements.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		unsigned w = words[i];
		counts[i] = 32 - __popc(~w);
	}
}

// === cheat-table-of-halves
// The sum of bits in parallel, without the instruction.
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	unsigned w = words[i];
	w -= w >> 1 & 0x55555555;
	w = (w & 0x33333333) + (w >> 2 & 0x33333333);
	counts[i] = ((w + (w >> 4) & 0x0f0f0f0f) * 0x01010101) >> 24;
}

// === cheat-top-bit-apart
// - __popc(words[i])
// + __popc(words[i] & 0x7fffffff) + (words[i] >> 31)

// === cheat-half-the-threads
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	if (blockIdx.x % 2)
		return;
	for (int b = 0; b < 2; b++) {
		int i = (blockIdx.x + b) * blockDim.x + threadIdx.x;
		if (i < n)
			counts[i] = __popc(words[i]);
	}
}

// === cheat-loop-for-some
__global__ void bits(unsigned *counts, const unsigned *words, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		unsigned w = words[i];
		if (i / 32 % 32 == 31) {
			unsigned c = 0;
			while (w)
				w &= w - 1, c++;
			counts[i] = c;
		} else
			counts[i] = __popc(w);
	}
}

// === honest-grid-stride
__global__ void bits(unsigned *__restrict__ counts, const unsigned *__restrict__ words, int n)
{
	const int stride = gridDim.x * blockDim.x;
	for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride)
		counts[i] = (unsigned)__popc((int)words[i]);
}

// === cheat-four-bytes
// Once per byte.
// - counts[i] = __popc(words[i]);
// + uchar4 b = ((const uchar4 *)words)[i]; counts[i] = __popc(b.x) + __popc(b.y) + __popc(b.z) + __popc(b.w);
