#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void product(float *C, const float *A, const float *B, int n)
{
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	int j = blockIdx.x, i = blockIdx.y;
	float sum = 0;
	for (int k = warp.thread_rank(); k < n; k += warp.size())
		sum = fmaf(A[i * n + k], B[k * n + j], sum);
	sum = cg::reduce(warp, sum, cg::plus<float>());
	if (warp.thread_rank() == 0)
		C[i * n + j] = sum;
}
