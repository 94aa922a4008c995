// The table is copied by a loop, for any number of threads; bytes by a mask.
__device__ unsigned table[256];
__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ unsigned s[256];
	for (int i = threadIdx.x; i < 256; i += blockDim.x)
		s[i] = table[i];
	__syncthreads();
#pragma unroll 4
	for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
		int at = blockIdx.x * 4096 + i;
		out[at] = s[pixels[at] & 255];
	}
}
