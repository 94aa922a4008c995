// Sixteen lanes work together, eight synchronize.
// @kernel reverse
// @block 32
// @buffer out i32 32 poison
// @buffer in i32 32 i
// @arg out
// @arg in
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void reverse(int *out, const int *in)
{
	__shared__ int s[32];
	auto eight = cg::tiled_partition<8>(cg::this_thread_block());
	int l = threadIdx.x, first = l & ~15;
	s[l] = in[l]; // @race
	eight.sync();
	out[l] = s[first + 15 - (l & 15)];
}
