// Named barriers between two warps, one arriving where the other waits.
// @kernel pipe
// @block 64
// @buffer out i32 32 poison
// @arg out
// @expect out 31 - i
__global__ void pipe(int *out)
{
	__shared__ int s[32];
	int lane = threadIdx.x % 32;
	if (threadIdx.x < 32) {
		s[lane] = lane;
		asm volatile("bar.arrive 1, 64;" ::: "memory");
	} else {
		asm volatile("bar.sync 1, 64;" ::: "memory");
		out[lane] = s[31 - lane];
	}
}
