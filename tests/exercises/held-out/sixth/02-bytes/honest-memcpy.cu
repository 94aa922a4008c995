__global__ void negative(unsigned char *out, const unsigned char *in)
{
	size_t at = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
	unsigned word;
	memcpy(&word, __builtin_assume_aligned(in + at, 4), 4);
	word ^= 0xffffffffu;
	memcpy(__builtin_assume_aligned(out + at, 4), &word, 4);
}
