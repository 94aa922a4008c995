// Two pairs of warps, each pair with a barrier of its own.
// @kernel pairs
// @block 128
// @buffer out i32 128 poison
// @arg out
// @expect out i / 64 * 64 + (i % 64 + 32) % 64
__global__ void pairs(int *out)
{
	__shared__ int s[128];
	int t = threadIdx.x, pair = t / 64;
	s[t] = t;
	asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory");
	out[t] = s[pair * 64 + (t % 64 + 32) % 64];
}
