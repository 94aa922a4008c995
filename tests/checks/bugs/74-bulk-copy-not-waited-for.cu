// The thread that starts a bulk copy reads what it copies without waiting for the mbarrier.
// @kernel bulk
// @block 32
// @buffer out i32 32 poison
// @buffer in i32 32 i
// @arg out
// @arg in
__global__ void bulk(int *out, const int *in)
{
	__shared__ alignas(16) int tile[32];
	__shared__ unsigned long long bar;
	unsigned at = (unsigned)__cvta_generic_to_shared(&bar), to = (unsigned)__cvta_generic_to_shared(tile);
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(1) : "memory");
		asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(128) : "memory");
		asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(in), "r"(128), "r"(at) : "memory"); // @race
	}
	__syncthreads();
	out[threadIdx.x] = tile[threadIdx.x]; // @race
}
