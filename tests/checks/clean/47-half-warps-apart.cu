// Each half synchronizes with its own mask.
// @kernel halves
// @block 32
// @buffer out i32 32 poison
// @arg out
// @expect out i < 16 ? 15 - i : (47 - i) * 2
__global__ void halves(int *out)
{
	__shared__ int s[32];
	int l = threadIdx.x;
	if (l < 16) {
		s[l] = l;
		__syncwarp(0x0000ffff);
		out[l] = s[15 - l];
	} else {
		s[l] = 2 * l;
		__syncwarp(0xffff0000);
		out[l] = s[47 - l];
	}
}
