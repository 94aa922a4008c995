// A filter of 3 x 3 over images with a border of zeros, whose pixels the Tensor Memory Accelerator brings.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
enum { C = 4, W = 9, H = 6, N = 3, PIXELS = 32 };

__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void sums(const __grid_constant__ CUtensorMap map, int *out)
{
	__shared__ alignas(128) int tile[9][PIXELS][C];
	__shared__ unsigned long long bar; // nvcc reads <cuda/barrier>, which tensor_map.cu has, for three seconds
	if (threadIdx.x == 0) {
		asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(&bar)), "r"(blockDim.x) : "memory");
		asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
	}
	__syncthreads();
	const int first = blockIdx.x * PIXELS;
	if (threadIdx.x == 0) {
		for (int i = 0; i < 9; i++)
			asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], "
			             "[%1, {%2, %3, %4, %5}], [%6], {%7, %8};" ::"r"(address(tile[i])), "l"(&map), "r"(0),
			             "r"(first % W - 1), "r"(first / W % H - 1), "r"(first / W / H),
			             "r"(address(&bar)), "h"((unsigned short)(i % 3)),
			             "h"((unsigned short)(i / 3)) : "memory");
		asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(&bar)), "r"((int)sizeof tile) : "memory");
	} else {
		asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&bar)) : "memory");
	}
	for (int done = 0; !done;)
		asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
		             : "=r"(done) : "r"(address(&bar)) : "memory");
	const int pixel = threadIdx.x / C, channel = threadIdx.x % C;
	int sum = 0;
	for (int i = 0; i < 9; i++) sum += tile[i][pixel][channel];
	if (first + pixel < W * H * N) out[(first + pixel) * C + channel] = sum;
}

static int host[N][H][W][C], got[N][H][W][C];

static int sum_at(int n, int h, int w, int c)
{
	int sum = 0;
	for (int y = h - 1; y <= h + 1; y++)
		for (int x = w - 1; x <= w + 1; x++)
			if (y >= 0 && y < H && x >= 0 && x < W) sum += host[n][y][x][c];
	return sum;
}

int main()
{
	int *data, *out, wrong = 0;
	for (int i = 0; i < N * H * W * C; i++) (&host[0][0][0][0])[i] = i * i % 1009;
	cudaMalloc(&data, sizeof host);
	cudaMalloc(&out, sizeof host);
	cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
	CUtensorMap map;
	const cuuint64_t dims[] = {C, W, H, N}, strides[] = {C * 4, C * 4 * W, C * 4 * W * H};
	const cuuint32_t steps[] = {1, 1, 1, 1};
	int lower[] = {-1, -1}, upper[] = {-1, -1};
	const auto encode = [&](int pixels) {
		return (int)cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 4, data, dims, strides, lower, upper, C, pixels,
			steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
			CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
	};
	printf("%d", encode(PIXELS));
	sums<<<(W * H * N + PIXELS - 1) / PIXELS, PIXELS * C>>>(map, out);
	printf(" %s", cudaGetErrorName(cudaDeviceSynchronize()));
	cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
	for (int n = 0; n < N; n++)
		for (int h = 0; h < H; h++)
			for (int w = 0; w < W; w++)
				for (int c = 0; c < C; c++) wrong += got[n][h][w][c] != sum_at(n, h, w, c);
	printf(" %d wrong, refused:", wrong);
	printf(" %d", encode(1025));
	lower[0] = -129;
	printf(" %d", encode(PIXELS));
	lower[0] = 70000;
	printf(" %d", encode(PIXELS));
	lower[0] = W - 1;
	printf(" %d\n", encode(PIXELS));
	return wrong != 0;
}
