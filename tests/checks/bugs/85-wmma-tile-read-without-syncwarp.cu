// Which lane stored an element of the tile is not specified.
// @kernel doubled
// @grid 1
// @block 32
// @buffer out f32 256 poison
// @arg out
#include <mma.h>
using namespace nvcuda;
__global__ void doubled(float *out)
{
	__shared__ alignas(32) float tile[256];
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
	wmma::fill_fragment(sum, 1.0f);
	wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major); // @race
	for (int i = threadIdx.x; i < 256; i += 32)
		out[i] = 2 * tile[i];
}
