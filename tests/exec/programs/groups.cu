// Lanes of several groups vote and reduce in one instruction, each group by itself.
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

__global__ void groups(int *wrong) {
	const int lane = threadIdx.x, group = lane % 3;
	auto mine = cg::labeled_partition(cg::coalesced_threads(), group);
	const unsigned members = __match_any_sync(~0u, group);
	const bool largest = cg::reduce(mine, lane, cg::greater<int>()) == (group == 2 ? 29 : 30 + group);
	const bool ballot = __ballot_sync(members, lane >= 4) == (members & ~15u);
	const bool any = __any_sync(members, group == 1) == (group == 1);
	const bool all = __all_sync(members, group != 2) == (group != 2);
	int words; // as CUB spells a ballot
	asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.sync.b32 %0, p, 0xffffffff; }"
				 : "=r"(words) : "r"(lane & 1));
	if (!largest || !ballot || !any || !all || words != 0xaaaaaaaa) atomicAdd(wrong, 1);
}

int main() {
	int *wrong;
	cudaMallocManaged(&wrong, sizeof *wrong);
	groups<<<1, 32>>>(wrong);
	cudaDeviceSynchronize();
	printf("%d wrong\n", *wrong);
	return *wrong != 0;
}
