// Two lanes read 16 bytes each and share the sum.
__global__ void eights(unsigned *out, const unsigned *in)
{
	int t = threadIdx.x;
	const uint4 *from = (const uint4 *)in + blockIdx.x * 512;
	for (int k = 0; k < 2; k++) {
		uint4 w = from[k * 256 + t];
		unsigned sum = w.x + w.y + w.z + w.w;
		sum += __shfl_down_sync(0xffffffff, sum, 1);
		if (t % 2 == 0)
			out[blockIdx.x * 256 + k * 128 + t / 2] = sum;
	}
}
