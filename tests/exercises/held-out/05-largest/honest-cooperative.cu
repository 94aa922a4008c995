#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void largest(int *most, const int *v)
{
	__shared__ int s[8];
	auto block = cg::this_thread_block();
	auto warp = cg::tiled_partition<32>(block);
	int m = v[blockIdx.x * 256 + block.thread_rank()];
	for (int d = warp.size() / 2; d > 0; d /= 2)
		m = max(m, warp.shfl_down(m, d));
	if (warp.thread_rank() == 0)
		s[threadIdx.x / 32] = m;
	block.sync();
	if (threadIdx.x == 0) {
		for (int w = 1; w < 8; w++)
			m = max(m, s[w]);
		most[blockIdx.x] = m;
	}
}
