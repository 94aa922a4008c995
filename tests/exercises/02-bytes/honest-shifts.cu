// One word, its bytes taken apart by shifts.
__global__ void negative(unsigned char *out, const unsigned char *in)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	unsigned w = reinterpret_cast<const unsigned *>(in)[i], r = 0;
	for (int k = 0; k < 32; k += 8)
		r |= (255 - (w >> k & 255)) << k;
	reinterpret_cast<unsigned *>(out)[i] = r;
}
