// shared table in two copies, filled by two passes
__device__ unsigned table[256];
__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ unsigned s[256];
	int first = blockIdx.x * 4096, tid = threadIdx.x;
	for (int k = 0; k < 8; k++) s[(tid + k) % 256] = ((volatile unsigned *)table)[(tid + k) % 256];
	__syncthreads();
	for (int i = tid; i < 4096; i += 256) { unsigned p = ((const volatile unsigned *)pixels)[first + i]; out[first + i] = s[p % 256]; }
}
