// a loop over the chunk
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
for (long long k = first + i; k < (long long)first + count; k += gridDim.x * blockDim.x) out[k] = (unsigned)k * __ldg(&in[k]);
}
