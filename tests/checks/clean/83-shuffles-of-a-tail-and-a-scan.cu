// @kernel both
// @grid 1
// @block 32
// @buffer x i32 32 1
// @buffer out i32 33 0
// @arg x
// @arg out
// @arg i32 20
// @expect out i == 32 ? 20 : i + 1
/* Values from lanes that are not there are taken only where a condition holds. */
__global__ void both(const int *x, int *out, int n)
{
	int l = threadIdx.x, scan = x[l];
	unsigned mask = __ballot_sync(0xffffffff, l < n);
	if (l < n) {
		int v = x[l];
		for (int d = 16; d; d >>= 1) {
			int other = __shfl_down_sync(mask, v, d);
			if (l + d < n)
				v += other;
		}
		if (l == 0)
			out[32] = v;
	}
	__syncwarp();
	for (int d = 1; d < 32; d <<= 1) {
		int other = __shfl_up_sync(0xffffffff, scan, d);
		if (l >= d)
			scan += other;
	}
	out[l] = scan;
}
