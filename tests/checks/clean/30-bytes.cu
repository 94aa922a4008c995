// Neighbouring bytes by neighbouring threads are nobody's race.
// @kernel invert
// @grid 2
// @block 64
// @buffer out u8 128 poison
// @buffer in u8 128 i
// @arg out
// @arg in
// @expect out 255 - (i ^ 1)
__global__ void invert(unsigned char *out, const unsigned char *in)
{
	__shared__ unsigned char s[64];
	int t = threadIdx.x, i = blockIdx.x * 64 + t;
	s[t] = 255 - in[i];
	s[t] += 0;
	__syncthreads();
	out[i] = s[t ^ 1];
}
