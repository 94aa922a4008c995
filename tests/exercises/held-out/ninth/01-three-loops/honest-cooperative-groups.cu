// honest: a tile of a cooperative group, two sums per thread
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void product(float *C, const float *A, const float *B, int n)
{
	int j = blockIdx.x, i = blockIdx.y;
	auto warp = cg::tiled_partition<32>(cg::this_thread_block());
	int lane = warp.thread_rank();
	float a = 0, b = 0;
	int k = lane;
	for (; k + 32 < n; k += 64) {
		a += A[i * n + k] * B[k * n + j];
		b += A[i * n + k + 32] * B[(k + 32) * n + j];
	}
	if (k < n)
		a += A[i * n + k] * B[k * n + j];
	a += b;
	for (int d = 1; d < 32; d *= 2)
		a += warp.shfl_down(a, d);
	if (lane == 0)
		C[i * n + j] = a;
}
