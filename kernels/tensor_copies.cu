// A 5-point stencil: each element of an n × n image is the sum of itself and its
// four neighbors, and beyond the image there are zeros. A block computes a tile of
// 32 × 16, for which it needs 34 × 18 elements. On Hopper a box of a tensor map
// begins and ends at a multiple of 16 bytes, so the tile has four more columns on
// either side.
#include <cstdint>

constexpr int WIDTH = 32, HEIGHT = 16, LEFT = 4;
constexpr int BOX_WIDTH = LEFT + WIDTH + 4, BOX_HEIGHT = HEIGHT + 2;

__device__ void stencil(int *out, const int (*tile)[BOX_WIDTH], int n)
{
	int x = threadIdx.x + LEFT, column = blockIdx.x * WIDTH + threadIdx.x;
	for (int y = threadIdx.y + 1; y <= HEIGHT; y += blockDim.y) {
		int row = blockIdx.y * HEIGHT + y - 1;
		if (row < n && column < n)
			out[(size_t)row * n + column] = tile[y][x] + tile[y - 1][x]
				+ tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
	}
}

// Every thread loads some elements and tests for each whether it exists.
__global__ void by_hand(int *out, const int *in, int n)
{
	__shared__ int tile[BOX_HEIGHT][BOX_WIDTH];
	int left = blockIdx.x * WIDTH - LEFT, top = blockIdx.y * HEIGHT - 1;
	for (int y = threadIdx.y; y < BOX_HEIGHT; y += blockDim.y)
		for (int x = threadIdx.x + LEFT - 1; x <= LEFT + WIDTH; x += WIDTH) {
			int row = top + y, column = left + x;
			bool inside = row >= 0 && row < n && column >= 0 && column < n;
			tile[y][x] = inside ? in[(size_t)row * n + column] : 0;
		}
	__syncthreads();
	stencil(out, tile, n);
}

#if __CUDA_ARCH__ >= 900
#include <cuda.h>

// One thread copies the whole box. What is beyond the image arrives as zeros.
__global__ void by_tensor_map(int *out, const __grid_constant__ CUtensorMap map, int n)
{
	__shared__ alignas(128) int tile[BOX_HEIGHT][BOX_WIDTH];
	__shared__ uint64_t full;
	unsigned bar = (unsigned)__cvta_generic_to_shared(&full);
	if (threadIdx.x == 0 && threadIdx.y == 0) {
		int left = blockIdx.x * WIDTH - LEFT, top = blockIdx.y * HEIGHT - 1;
		asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar) : "memory");
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
		asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;"
		             :: "r"(bar), "n"(sizeof tile) : "memory");
		asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
		             ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
		             :: "r"((unsigned)__cvta_generic_to_shared(tile)), "l"(&map),
		                "r"(left), "r"(top), "r"(bar) : "memory");
	}
	__syncthreads();
	unsigned done;
	do
		asm volatile("{\n\t.reg .pred p;\n\t"
		             "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n\t"
		             "selp.u32 %0, 1, 0, p;\n\t}" : "=r"(done) : "r"(bar) : "memory");
	while (!done);
	stencil(out, tile, n);
}
#endif
