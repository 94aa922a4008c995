// @kernel doubled
// @grid 2
// @block 32
// @buffer out f32 512 poison
// @arg out
// @expect out 2
#include <mma.h>
using namespace nvcuda;
__global__ void doubled(float *out)
{
	__shared__ alignas(32) float tile[256];
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
	wmma::fill_fragment(sum, 1.0f);
	for (int again = 0; again < 2; again++) {
		wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);
		__syncwarp();
		for (int i = threadIdx.x; i < 256; i += 32)
			out[256 * blockIdx.x + i] = 2 * tile[i];
		__syncwarp();
	}
}
