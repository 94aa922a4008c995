#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void distance(unsigned *out, const unsigned *in)
{
	__shared__ unsigned tops[8];
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	unsigned i = block.group_index().x * block.size() + block.thread_rank(), own = in[i];
	unsigned top = cg::reduce(warp, own, cg::greater<unsigned>());
	if (warp.thread_rank() == 0)
		tops[warp.meta_group_rank()] = top;
	block.sync();
	for (int w = 0; w < 8; w++)
		top = max(top, tops[w]);
	out[i] = top - own;
}
