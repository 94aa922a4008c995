// The barrier is used before the block knows that it is initialized.
// @kernel reversed
// @block 64
// @buffer out i32 64 poison
// @arg out
__global__ void reversed(int *out)
{
	__shared__ unsigned long long bar;
	unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(32) : "memory"); // @race
	if (threadIdx.x >= 32)
		asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at) : "memory"); // @race
	out[threadIdx.x] = 1;
}
