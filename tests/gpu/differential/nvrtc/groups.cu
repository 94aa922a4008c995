// Cooperative groups up to the block.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int *o, float *f) {
	auto g = cg::this_thread_block();
	auto w = cg::tiled_partition<32>(g);
	auto t = cg::tiled_partition<8>(w);
	int v = o[g.thread_rank()];
	o[0] = cg::reduce(w, v, cg::plus<int>());
	f[0] = cg::reduce(t, f[3], cg::plus<float>());
	o[1] = cg::reduce(t, v, cg::greater<int>());
	o[2] = cg::inclusive_scan(t, v) + cg::exclusive_scan(w, v);
	auto a = cg::coalesced_threads();
	o[3] = a.size() + a.thread_rank() + a.shfl(v, 0);
	auto bp = cg::binary_partition(w, v > 3);
	o[4] = bp.size();
	auto lp = cg::labeled_partition(w, v & 3);
	o[5] = lp.num_threads();
	g.sync();
	w.sync();
	t.sync();
	o[6] = t.any(v) + t.all(v) + t.ballot(v) + t.match_any(v);
	auto tok = g.barrier_arrive();
	g.barrier_wait(std::move(tok));
	cg::invoke_one(w, [&] { o[7] = 1; });
}
