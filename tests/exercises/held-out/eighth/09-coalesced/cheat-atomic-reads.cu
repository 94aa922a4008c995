// cheat: the same strided accesses, as atomics that add nothing
__global__ void eights(unsigned *out, const unsigned *in)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < 8; k++)
		sum += atomicAdd((unsigned *)in + 8 * i + k, 0u);
	out[i] = sum;
}
