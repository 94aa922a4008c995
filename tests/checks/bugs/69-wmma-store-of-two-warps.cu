// Both warps leave their product in the same place.
// @kernel scaled
// @grid 1
// @block 64
// @buffer out f32 256 poison
// @arg out
#include <mma.h>
using namespace nvcuda;
__global__ void scaled(float *out)
{
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
	wmma::fill_fragment(sum, 1.0f + threadIdx.x / 32);
	wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major); // @race
}
