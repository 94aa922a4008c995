// The kernel `staged` of async_copies.cu, written with cuda::pipeline of libcu++.
#include <cuda/pipeline>

constexpr int THREADS = 128, ROW = 512;

template <int STAGES>
__global__ void piped(unsigned *total, const int4 *rows, int count)
{
	__shared__ int4 tiles[STAGES][THREADS];
	auto pipe = cuda::make_pipeline(); // of this thread alone
	auto start = [&](int stage, int r) {
		pipe.producer_acquire();
		if (r < count)
			cuda::memcpy_async(&tiles[stage][threadIdx.x],
			                   &rows[r * THREADS + threadIdx.x],
			                   cuda::aligned_size_t<16>(16), pipe);
		pipe.producer_commit();
	};
	unsigned sum = 0;
	for (int s = 0; s < STAGES - 1; s++)
		start(s, blockIdx.x + s * gridDim.x);
	int k = 0;
#pragma unroll 1
	for (int r = blockIdx.x; r < count; r += gridDim.x) {
		start((k + STAGES - 1) % STAGES, r + (STAGES - 1) * gridDim.x);
		cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipe);
		__syncthreads();
		const int *row = (const int *)tiles[k];
#pragma unroll
		for (int i = 0; i < ROW; i += THREADS)
			sum = __sad(row[(i + threadIdx.x + 1) % ROW], row[i + threadIdx.x], sum);
		__syncthreads();
		pipe.consumer_release();
		k = (k + 1) % STAGES;
	}
	for (int d = 16; d > 0; d /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, d);
	if (threadIdx.x % 32 == 0)
		atomicAdd(total, sum);
}
