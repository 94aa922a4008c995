// @kernel kernel
// @block 64
// @buffer out i32 64 poison
// @buffer in i32 64 i
// @arg out
// @arg in
// @expect out i % 4 == 0 ? i : i % 4 == 1 ? i - 1 : i % 4 == 2 ? 2 * i : -1
#include <cuda/std/array>
#include <cuda/std/optional>
#include <cuda/std/tuple>
__device__ cuda::std::optional<int> choose(int i)
{
	cuda::std::array<int, 3> a = {i, i - 1, 2 * i};
	if (i % 4 == 3)
		return cuda::std::nullopt;
	return a[i % 4];
}
__global__ void kernel(int *out, const int *in)
{
	auto pair = cuda::std::make_tuple(threadIdx.x, in[threadIdx.x]);
	out[cuda::std::get<0>(pair)] = choose(cuda::std::get<1>(pair)).value_or(-1);
}
