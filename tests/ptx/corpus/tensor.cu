// Matrix units, asynchronous copies, clusters and barriers in memory.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__global__ void matrices(const half *a, const half *b, float *c) {
	wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
	wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
	wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
	wmma::fill_fragment(fc, 0.0f);
	wmma::load_matrix_sync(fa, a, 16);
	wmma::load_matrix_sync(fb, b, 16);
	wmma::mma_sync(fc, fa, fb, fc);
	wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
	unsigned r[4], s = (unsigned)__cvta_generic_to_shared(c);
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(s));
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%4,%5}, {%0,%1,%2,%3};"
				 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]));
}

__global__ void copies(const int4 *in, int4 *out) {
	__shared__ alignas(128) int4 buffer[2][128];
	__shared__ cuda::barrier<cuda::thread_scope_block> bar;
	auto block = cooperative_groups::this_thread_block();
	if (threadIdx.x == 0) init(&bar, blockDim.x);
	block.sync();
	auto pipe = cuda::make_pipeline();
	pipe.producer_acquire();
	cuda::memcpy_async(&buffer[0][threadIdx.x], in + threadIdx.x, cuda::aligned_size_t<16>(16), pipe);
	pipe.producer_commit();
	pipe.consumer_wait();
	__syncthreads();
	cuda::memcpy_async(block, buffer[1], in + 128, cuda::aligned_size_t<16>(sizeof buffer[1]), bar);
	bar.arrive_and_wait();
	cuda::atomic_ref<int, cuda::thread_scope_device> ref(out[7].x);
	out[8].x = ref.fetch_add(3, cuda::memory_order_acq_rel) + ref.load(cuda::memory_order_acquire);
	ref.store(5, cuda::memory_order_release);
	out[threadIdx.x] = buffer[0][threadIdx.x ^ 1];
	out[threadIdx.x + 128] = buffer[1][threadIdx.x];
}

__global__ void __cluster_dims__(2, 1, 1) clusters(int *out) {
	__shared__ int value;
	auto cluster = cooperative_groups::this_cluster();
	value = cluster.block_rank();
	cluster.sync();
	int *other = cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
	out[blockIdx.x] = *other;
	cluster.sync();
}
