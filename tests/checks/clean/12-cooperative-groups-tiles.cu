// @kernel reduce
// @grid 2
// @block 64
// @buffer out i32 16 poison
// @buffer in i32 128 i
// @arg out
// @arg in
// @expect out 64 * i + 28
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void reduce(int *out, const int *in)
{
	__shared__ int s[64];
	auto block = cg::this_thread_block();
	auto tile = cg::tiled_partition<8>(block);
	int t = block.thread_rank(), first = t & ~7;
	s[t] = in[blockIdx.x * 64 + t];
	tile.sync();
	int v = 0;
	for (int k = 0; k < 8; k++)
		v += s[first + (tile.thread_rank() + k) % 8];
	tile.sync();
	s[t] = v;
	int total = tile.shfl(v, 0);
	if (tile.thread_rank() == 0)
		out[(blockIdx.x * 64 + t) / 8] = total + s[t] - v;
}
