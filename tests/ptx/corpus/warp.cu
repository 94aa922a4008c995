// Warp and block primitives, atomics, fences, cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void __launch_bounds__(256, 2) warp(int *out, unsigned *flags, float *f, double *d, unsigned long long *l, int n) {
	extern __shared__ int dynamic[];
	__shared__ int counter;
	__shared__ unsigned histogram[256];
	int t = threadIdx.x;
	if (t == 0) counter = 0;
	__syncthreads();
	unsigned mask = __activemask();
	int v = out[t];
	v += __shfl_sync(~0u, v, 3);
	v += __shfl_up_sync(~0u, v, 1, 16);
	v += __shfl_down_sync(~0u, v, n);
	v ^= __shfl_xor_sync(~0u, v, 8);
	if (__all_sync(mask, v > 3)) v++;
	if (__any_sync(mask, v > 5)) v--;
	v += __popc(__ballot_sync(mask, v & 1));
	int pred;
	v += __match_any_sync(~0u, v) + __match_all_sync(~0u, v, &pred) + pred;
	v += __reduce_add_sync(~0u, v) + __reduce_max_sync(~0u, v) + __reduce_and_sync(~0u, (unsigned)v);
	v += __syncthreads_count(v & 1) + __syncthreads_and(v > 0) + __syncthreads_or(v < 0);
	__syncwarp();
	__syncwarp(0xffff);
	atomicAdd(&counter, v);
	atomicAdd(f, 1.5f);
	atomicAdd(d, 2.5);
	v += atomicCAS(out + 1, 3, 4) + atomicExch(out + 2, 5) + atomicMin(out, -1) + atomicMax(out, 9);
	v += atomicInc(flags, 7) + atomicDec(flags, 9) + atomicAnd(flags, 3) + atomicOr(flags, 4) + atomicXor(flags, 1);
	v += atomicSub(out, 3) + atomicCAS_system(out, 1, 2) + atomicAdd_block(out, 2);
	l[0] += atomicMax(l, 5ull) + atomicCAS(l, 1ull, 2ull);
	atomicAdd(&histogram[v & 255], 1);
	dynamic[t] = v;
	__threadfence_block();
	__threadfence();
	__threadfence_system();
	cg::thread_block block = cg::this_thread_block();
	block.sync();
	auto tile = cg::tiled_partition<16>(block);
	v += cg::reduce(tile, v, cg::plus<int>()) + tile.thread_rank() + tile.shfl(v, 2);
	auto active = cg::coalesced_threads();
	v += active.size() + active.thread_rank();
	volatile int *vol = out;
	vol[3] = vol[4] + __ldg(out + 5) + __ldcg(out + 6) + __ldcs(out + 7);
	__stcs(out + 8, v);
	l[1] = clock64() + clock();
	out[t] = v + dynamic[t ^ 1] + counter;
	__nanosleep(20);
	if (n == 77) __trap();
	if (n == 78) __brkpt();
}
