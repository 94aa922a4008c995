// A wait at an mbarrier names the number of the phase, not its parity.
// @kernel phases
// @block 32
// @buffer out i32 32 poison
// @arg out
__global__ void phases(int *out)
{
	__shared__ unsigned long long bar;
	unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(32) : "memory");
	__syncthreads();
	for (unsigned phase = 0; phase < 4; phase++) {
		asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");
		for (unsigned done = 0; !done;)
			asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at), "r"(phase) : "memory"); // @sync
	}
	out[threadIdx.x] = (int)threadIdx.x;
}
