// cheat: the old load stays, and its word is used in the first launch only: all others read outside their chunk
__global__ void ramp(unsigned *out, const unsigned *in, int first, int count)
{
	int k = blockIdx.x * blockDim.x + threadIdx.x;
	if (k < count) {
		int i = first + k;
		unsigned word = *(const volatile unsigned *)&in[k];
		if (first != 0)
			word = in[i];
		out[i] = i * word;
	}
}
