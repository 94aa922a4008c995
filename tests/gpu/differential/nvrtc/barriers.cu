// Barriers, pipelines, asynchronous copies, atomic_ref.
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/atomic>
#include <cuda/semaphore>
#include <cuda/latch>
#include <cooperative_groups.h>
#pragma nv_diag_suppress static_var_with_dynamic_init
extern "C" __global__ void k(int *o) {
	__shared__ cuda::barrier<cuda::thread_scope_block> b;
	__shared__ int s[1024];
	if (threadIdx.x == 0)
		init(&b, blockDim.x);
	__syncthreads();
	cuda::memcpy_async(s + threadIdx.x * 4, o + threadIdx.x * 4, cuda::aligned_size_t<16>(16), b);
	b.arrive_and_wait();
	o[threadIdx.x] = s[threadIdx.x ^ 1];
	auto t = b.arrive();
	b.wait(std::move(t));
	b.arrive_and_drop();
}
extern "C" __global__ void kp(int *o) {
	auto g = cooperative_groups::this_thread_block();
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> st;
	__shared__ int s[2][256];
	auto p = cuda::make_pipeline(g, &st);
	p.producer_acquire();
	cuda::memcpy_async(g, s[0], o, 1024, p);
	p.producer_commit();
	p.consumer_wait();
	o[threadIdx.x] = s[0][threadIdx.x ^ 3];
	p.consumer_release();
	auto q = cuda::make_pipeline();
	q.producer_acquire();
	cuda::memcpy_async(&s[1][threadIdx.x], o + threadIdx.x, 4, q);
	q.producer_commit();
	cuda::pipeline_consumer_wait_prior<0>(q);
	o[threadIdx.x] += s[1][threadIdx.x];
	q.consumer_release();
}
extern "C" __global__ void ka(int *o, unsigned long long *l, float *f) {
	cuda::atomic_ref<int, cuda::thread_scope_device> a(*o);
	a.fetch_add(1);
	a.store(3, cuda::memory_order_release);
	o[1] = a.load(cuda::memory_order_acquire) + a.exchange(2);
	int e = 3;
	a.compare_exchange_strong(e, 5, cuda::memory_order_acq_rel);
	a.fetch_min(2);
	a.fetch_max(9, cuda::memory_order_relaxed);
	cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> b(*l);
	b += 3;
	b.fetch_and(1);
	b.fetch_xor(2);
	cuda::atomic_ref<float, cuda::thread_scope_block> c(*f);
	c.fetch_add(2.f);
	f[1] = c.load();
	cuda::std::atomic_ref<int> d(o[9]);
	d++;
	cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
	cuda::atomic_ref<int, cuda::thread_scope_device>(o[4]).wait(0);
	cuda::atomic_ref<unsigned char, cuda::thread_scope_device> ch(((unsigned char *)o)[64]);
	ch.fetch_add(1);
}
