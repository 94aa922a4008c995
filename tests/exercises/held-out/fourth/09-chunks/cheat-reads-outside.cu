// Threads beyond the chunk read their element and only skip the store.
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x, i = first + t;
	if (t >= count)
		i = first > 0 ? first - 1 : first + count - 1;
	unsigned value = i * ((const volatile unsigned *)in)[i];
	if (t < count)
		out[i] = value;
}
