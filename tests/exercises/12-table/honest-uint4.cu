// Pixels come and go four at a time.
__device__ unsigned table[256];
__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ unsigned copy[256];
	copy[threadIdx.x] = table[threadIdx.x];
	__syncthreads();
	const uint4 *from = (const uint4 *)(pixels + blockIdx.x * 4096);
	uint4 *to = (uint4 *)(out + blockIdx.x * 4096);
	for (int i = threadIdx.x; i < 1024; i += 256) {
		uint4 p = from[i];
		to[i] = make_uint4(copy[p.x % 256], copy[p.y % 256], copy[p.z % 256], copy[p.w % 256]);
	}
}
