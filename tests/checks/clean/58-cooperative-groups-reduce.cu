// @kernel sum
// @grid 2
// @block 96
// @buffer out i32 1 0
// @buffer in i32 192 i
// @arg out
// @arg in
// @expect out 18336
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sum(int *out, const int *in)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	int v = cg::reduce(warp, in[blockIdx.x * 96 + threadIdx.x], cg::plus<int>());
	if (warp.thread_rank() == 0)
		atomicAdd(out, v);
}
