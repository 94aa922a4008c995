// Those that took the branch form a group of their own.
// @kernel count
// @grid 2
// @block 64
// @buffer total i32 1 0
// @arg total
// @expect total 44
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void count(int *total)
{
	if (threadIdx.x % 3 == 0) {
		auto active = cg::coalesced_threads();
		if (active.thread_rank() == 0)
			atomicAdd(total, active.size());
	}
}
