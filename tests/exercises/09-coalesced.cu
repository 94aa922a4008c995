// === honest-shuffles-2
// coalesced loads, sums of eight lanes by shuffles
__global__ void eights(unsigned *out, const unsigned *in)
{
	int t = threadIdx.x, first = blockIdx.x * 2048;
#pragma unroll
	for (int k = 0; k < 8; k++) {
		unsigned s = in[first + 256 * k + t];
		s += __shfl_xor_sync(~0u, s, 1); s += __shfl_xor_sync(~0u, s, 2); s += __shfl_xor_sync(~0u, s, 4);
		if (t % 8 == 0) out[blockIdx.x * 256 + 32 * k + t / 8] = s;
	}
}

// === honest-shuffles
// Eight lanes sum neighboring words by shuffles.
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[256];
	int t = threadIdx.x;
	for (int k = 0; k < 8; k++) {
		unsigned sum = in[blockIdx.x * 2048 + k * 256 + t];
		for (int d = 4; d > 0; d /= 2)
			sum += __shfl_down_sync(~0u, sum, d, 8);
		if (t % 8 == 0)
			s[k * 32 + t / 8] = sum;
	}
	__syncthreads();
	out[blockIdx.x * 256 + t] = s[t];
}

// === honest-uint4
// Two lanes read 16 bytes each and share the sum.
__global__ void eights(unsigned *out, const unsigned *in)
{
	int t = threadIdx.x;
	const uint4 *from = (const uint4 *)in + blockIdx.x * 512;
	for (int k = 0; k < 2; k++) {
		uint4 w = from[k * 256 + t];
		unsigned sum = w.x + w.y + w.z + w.w;
		sum += __shfl_down_sync(0xffffffff, sum, 1);
		if (t % 2 == 0)
			out[blockIdx.x * 256 + k * 128 + t / 2] = sum;
	}
}

// === honest-warp-private
// each warp its own 256 words
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[8][8 * 33];
	int w = threadIdx.x / 32, l = threadIdx.x % 32, first = blockIdx.x * 2048 + 256 * w;
	for (int k = 0; k < 8; k++) { int p = 32 * k + l; s[w][p % 8 * 33 + p / 8] = in[first + p]; }
	__syncwarp();
	unsigned sum = 0;
	for (int k = 0; k < 8; k++) sum += s[w][33 * k + l];
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// === honest-warps
// Each warp stages its own 256 words; the columns are rotated instead of padded.
__global__ void eights(unsigned *out, const unsigned *in)
{
	__shared__ unsigned s[8][256];
	int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	const unsigned *from = in + (blockIdx.x * 8 + warp) * 256;
	for (int k = 0; k < 8; k++) {
		int w = k * 32 + lane;
		s[warp][w / 8 * 8 + (w + w / 32) % 8] = from[w];
	}
	__syncwarp();
	unsigned sum = 0;
	for (int k = 0; k < 8; k++)
		sum += s[warp][lane * 8 + (k + lane / 4) % 8];
	out[blockIdx.x * 256 + threadIdx.x] = sum;
}
