// Each thread arrives and reads at once: nobody waited.
// @kernel reversed
// @block 64
// @buffer out i32 64 poison
// @arg out
__global__ void reversed(int *out)
{
	__shared__ unsigned long long bar;
	__shared__ int v[64];
	unsigned at = (unsigned)__cvta_generic_to_shared(&bar);
	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
	__syncthreads();
	v[threadIdx.x] = threadIdx.x; // @race
	asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at) : "memory");
	out[threadIdx.x] = v[63 - threadIdx.x]; // @race // @init
}
