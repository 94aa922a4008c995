// Pairs: half of the sectors of a request are used at a time.
__global__ void eights(unsigned *out, const unsigned *in)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	unsigned sum = 0;
	for (int k = 0; k < 4; k++) {
		uint2 w = ((const uint2 *)in)[4 * i + k];
		sum += w.x + w.y;
	}
	out[i] = sum;
}
