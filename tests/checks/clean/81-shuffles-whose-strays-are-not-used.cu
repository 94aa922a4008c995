// @kernel sums
// @grid 1
// @block 32
// @buffer out i32 3 0
// @arg out
// @expect out i == 0 ? 120 : i == 1 ? 190 : 15
/* Lanes that nobody asks may read lanes that are not there. */
__global__ void sums(int *out)
{
	int l = threadIdx.x;
	for (int row = 0; row < 2; row++) {
		int v = l;
		if (l < 16) {
			for (int d = 8; d; d /= 2)
				v += __shfl_down_sync(0xffff, v, d);
			if (l == 0)
				out[0] = v;
		}
	}
	int w = l;
	if (l < 20) {
		for (int d = 16; d; d /= 2) {
			int other = __shfl_down_sync(0xfffff, w, d);
			if (l + d < 20)
				w += other;
		}
		if (l == 0)
			out[1] = w;
	}
	if (l < 16) {
		int last = l;
		for (int d = 8; d; d /= 2)
			last = max(last, __shfl_xor_sync(0xffff, last, d));
		if (l == 3)
			out[2] = last;
	}
}
