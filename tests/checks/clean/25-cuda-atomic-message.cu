// Release and acquire by cuda::atomic_ref instead of fences.
// @kernel pass
// @grid 4
// @block 32
// @buffer out i32 128 poison
// @buffer flags i32 4 0
// @arg out
// @arg flags
// @expect out i % 32 + i / 32
#include <cuda/atomic>
__global__ void pass(int *out, int *flags)
{
	using flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
	int b = blockIdx.x, t = threadIdx.x;
	if (b > 0 && t == 0) {
		while (flag(flags[b - 1]).load(cuda::memory_order_acquire) == 0) {
		}
	}
	__syncthreads();
	out[b * 32 + t] = b > 0 ? out[(b - 1) * 32 + t] + 1 : t;
	__syncthreads();
	if (t == 0)
		flag(flags[b]).store(1, cuda::memory_order_release);
}
