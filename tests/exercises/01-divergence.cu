// === cheat-half-warps-idle
// Only two warps of a block work, each with all elements of one kind.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	if (warp > 1)
		return;
	for (unsigned k = 0; k < 4; k++) {
		unsigned i = blockIdx.x * 256 + (k * 32 + lane) * 2 + warp;
		unsigned x = in[i];
		if (warp)
			for (int j = 0; j < 64; j++)
				x = (x ^ x >> 3) + 7;
		else
			for (int j = 0; j < 64; j++)
				x = x * x + 1;
		out[i] = x;
	}
}

// === cheat-pairs-of-blocks
// Even blocks take the even elements of 512, odd blocks the odd ones.
__device__ unsigned even(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = x * x + 1;
	return x;
}
__device__ unsigned odd(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = (x ^ (x >> 3)) + 7;
	return x;
}
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned side = blockIdx.x % 2, i = blockIdx.x / 2 * 512 + 2 * threadIdx.x + side;
	if (side)
		out[i] = odd(in[i]);
	else
		out[i] = even(in[i]);
}

// === honest-shared
// Loads and stores coalesced; shared memory sorts even from odd.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	unsigned t = threadIdx.x, first = blockIdx.x * 256;
	s[t % 2 * 128 + t / 2] = in[first + t];
	__syncthreads();
	unsigned x = s[t];
	if (t < 128)
		for (int i = 0; i < 64; i++)
			x = x * x + 1;
	else
		for (int i = 0; i < 64; i++)
			x = (x ^ x >> 3) + 7;
	s[t] = x;
	__syncthreads();
	out[first + t] = s[t % 2 * 128 + t / 2];
}

// === honest-warps
// The warps of a pair share 64 elements: one takes the even, one the odd.
__device__ unsigned even(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = x * x + 1;
	return x;
}
__device__ unsigned odd(unsigned x)
{
	for (int i = 0; i < 64; i++)
		x = (x ^ x >> 3) + 7;
	return x;
}
__global__ void divergence(unsigned *out, const unsigned *in)
{
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	unsigned i = blockIdx.x * blockDim.x + warp / 2 * 64 + 2 * lane + warp % 2;
	unsigned x = in[i];
	out[i] = warp % 2 ? odd(x) : even(x);
}

// === cheat-half-threads-do-both
// Four of eight warps do both computations, one after the other.
__global__ void divergence(unsigned *out, const unsigned *in)
{
	if (threadIdx.x >= 128)
		return;
	unsigned i = blockIdx.x * 256 + 2 * threadIdx.x, x = in[i], y = in[i + 1];
	for (int j = 0; j < 64; j++)
		x = x * x + 1;
	for (int j = 0; j < 64; j++)
		y = (y ^ y >> 3) + 7;
	out[i] = x;
	out[i + 1] = y;
}
