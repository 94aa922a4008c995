// A cuda::barrier splits __syncthreads() in two: a thread arrives, does work that
// needs no other thread, and then waits for the phase in which it arrived.
#include <cuda/barrier>
#include <cuda/std/utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int THREADS = 256;

__global__ void split(int *out, const int *in, int phases)
{
	__shared__ int words[2][THREADS];
#pragma nv_diag_suppress static_var_with_dynamic_init
	__shared__ barrier bar;
	if (threadIdx.x == 0)
		init(&bar, THREADS);
	__syncthreads();
	int x = in[blockIdx.x * THREADS + threadIdx.x];
#pragma unroll 1
	for (int k = 0; k < phases; k++) {
		words[k % 2][threadIdx.x] = x;
		barrier::arrival_token phase = bar.arrive();
		int own = (x * 5 + 1) & 63; // in the meantime
		bar.wait(cuda::std::move(phase));
		x = own + words[k % 2][THREADS - 1 - threadIdx.x];
	}
	out[blockIdx.x * THREADS + threadIdx.x] = x;
}
