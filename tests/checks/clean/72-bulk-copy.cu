// A bulk copy that an mbarrier counts: whoever waits for it may read.
// @kernel bulk
// @block 64
// @buffer out i32 64 poison
// @buffer in i32 64 3 * i
// @arg out
// @arg in
// @expect out 3 * (63 - i)
__global__ void bulk(int *out, const int *in)
{
	__shared__ alignas(16) int tile[64];
	__shared__ unsigned long long bar;
	unsigned at = (unsigned)__cvta_generic_to_shared(&bar), done;
	if (threadIdx.x == 0)
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(1) : "memory");
	__syncthreads();
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(256) : "memory");
		asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
						 (unsigned)__cvta_generic_to_shared(tile)),
					 "l"(in), "r"(256), "r"(at) : "memory");
	}
	do
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
					 : "=r"(done) : "r"(at), "r"(0) : "memory");
	while (!done);
	out[threadIdx.x] = tile[63 - threadIdx.x];
}
