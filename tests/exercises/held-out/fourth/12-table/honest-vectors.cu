// Pixels by four, and a copy of the table that 64 threads bring by 16 bytes.
__device__ uint4 table[64];
__global__ void gamma(unsigned *out, const unsigned *pixels)
{
	__shared__ uint4 copy[64];
	if (threadIdx.x < 64)
		copy[threadIdx.x] = table[threadIdx.x];
	__syncthreads();
	const unsigned *values = (const unsigned *)copy;
	for (int i = threadIdx.x; i < 1024; i += 256) {
		uint4 p = ((const uint4 *)pixels)[blockIdx.x * 1024 + i];
		((uint4 *)out)[blockIdx.x * 1024 + i]
			= make_uint4(values[p.x % 256], values[p.y % 256], values[p.z % 256], values[p.w % 256]);
	}
}
