// @kernel sums
// @block 32
// @buffer out i32 32 poison
// @buffer in i32 128 i
// @arg out
// @arg in
// @expect out 16 * i + 6
#include <cuda/std/numeric>
#include <cuda/std/span>
__global__ void sums(int *out, const int *in)
{
	cuda::std::span<const int> all(in, 128);
	auto mine = all.subspan(threadIdx.x * 4, 4);
	out[threadIdx.x] = cuda::std::accumulate(mine.begin(), mine.end(), 0);
}
