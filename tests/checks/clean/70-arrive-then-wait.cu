// Producers arrive with a token, consumers wait: work between the two.
// @kernel exchange
// @block 64
// @buffer out i32 64 poison
// @arg out
// @expect out 63 - i
__global__ void exchange(int *out)
{
	__shared__ unsigned long long bar;
	__shared__ int v[64];
	unsigned at = (unsigned)__cvta_generic_to_shared(&bar), done;
	unsigned long long token;
	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
	__syncthreads();
	v[threadIdx.x] = threadIdx.x;
	asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
	int mine = 63 - threadIdx.x;
	do
		asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
					 : "=r"(done) : "r"(at), "l"(token) : "memory");
	while (!done);
	out[threadIdx.x] = v[mine];
}
