// every thread walks to its element from the chunk's first
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
unsigned s = 0; for (int k = 0; k < count; k++) if (k == i) s = (first + k) * in[first + k]; if (i < count) out[first + i] = s;
}
