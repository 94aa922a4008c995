// honest: pixels four at a time, the table copied by the first 64 threads in pieces of 16 bytes
__device__ __align__(16) unsigned table[256];

__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ __align__(16) unsigned s[256];
	if (threadIdx.x < 64)
		((uint4 *)s)[threadIdx.x] = ((const uint4 *)table)[threadIdx.x];
	__syncthreads();
	const uint4 *from = (const uint4 *)pixels + 1024 * blockIdx.x;
	uint4 *to = (uint4 *)out + 1024 * blockIdx.x;
	for (int i = threadIdx.x; i < 1024; i += 256) {
		uint4 p = from[i];
		to[i] = make_uint4(s[p.x & 255], s[p.y & 255], s[p.z & 255], s[p.w & 255]);
	}
}
