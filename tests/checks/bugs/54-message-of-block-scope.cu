// Release and acquire reach the own block only.
// @kernel pass
// @grid 2
// @block 1
// @buffer out i32 1 poison
// @buffer data i32 1 0
// @buffer flag i32 1 0
// @arg out
// @arg data
// @arg flag
#include <cuda/atomic>
__global__ void pass(int *out, int *data, int *flag)
{
	cuda::atomic_ref<int, cuda::thread_scope_block> ready(*flag);
	if (blockIdx.x == 0) {
		*data = 42; // @race
		ready.store(1, cuda::memory_order_release); // @race
	} else {
		while (ready.load(cuda::memory_order_acquire) == 0) {
		}
		*out = *data;
	}
}
