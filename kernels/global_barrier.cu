// When every block needs the results of others: a 3-point stencil applied twice,
// the second time to what all blocks computed the first time.
#include <cooperative_groups.h>

constexpr int THREADS = 256; // per block

// Each element becomes the sum of itself and its neighbors.
__device__ void smooth(int *out, const int *in, int n)
{
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n;
			i += gridDim.x * THREADS)
		out[i] = in[i > 0 ? i - 1 : 0] + in[i]
			+ in[i < n - 1 ? i + 1 : n - 1];
}

__global__ void smooth_once(int *out, const int *in, int n)
{
	smooth(out, in, n);
}

// Twice, with a barrier that covers one block only.
__global__ void smooth_block_sync(int *out, int *between, const int *in, int n)
{
	smooth(between, in, n);
	__threadfence();
	__syncthreads();
	smooth(out, between, n);
}

// Twice, with a barrier for the grid: a cooperative launch.
__global__ void smooth_grid_sync(int *out, int *between, const int *in, int n)
{
	smooth(between, in, n);
	cooperative_groups::this_grid().sync();
	smooth(out, between, n);
}
