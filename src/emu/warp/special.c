/* The values of special registers. */
#include "emu/warp/access.h"

/* The three components of a special register; `first` is the x. Called for each warp of a block: one jump. */
#define COMPONENTS(first)                                                                                              \
	case (first):                                                                                                      \
	case (first) + 1:                                                                                                  \
	case (first) + 2

static uint32_t thread_component(const uint32_t block[3], uint32_t thread, uint32_t i) {
	if (i == 0) return thread % block[0];
	thread /= block[0];
	return i == 1 ? thread % block[1] : thread / block[1];
}

uint64_t warp_special(const Warp *w, PtxSpecial sr, uint32_t lane) {
	const Run *run = w->worker->run;
	const LaunchConfig *c = &run->launch->config;
	const uint32_t *cluster = run->shape.cluster;
	switch ((int)sr) {
		COMPONENTS(SR_TID) : return thread_component(c->block, w->number * LANES + lane, sr - SR_TID);
		COMPONENTS(SR_NTID) : return c->block[sr - SR_NTID];
		COMPONENTS(SR_CTAID) : return w->block->ctaid[sr - SR_CTAID];
		COMPONENTS(SR_NCTAID) : return c->grid[sr - SR_NCTAID];
		COMPONENTS(SR_CLUSTERID) : return w->block->ctaid[sr - SR_CLUSTERID] / cluster[sr - SR_CLUSTERID];
		COMPONENTS(SR_NCLUSTERID) : return c->grid[sr - SR_NCLUSTERID] / cluster[sr - SR_NCLUSTERID];
		COMPONENTS(SR_CLUSTER_CTAID) : return w->block->ctaid[sr - SR_CLUSTER_CTAID] % cluster[sr - SR_CLUSTER_CTAID];
		COMPONENTS(SR_CLUSTER_NCTAID) : return cluster[sr - SR_CLUSTER_NCTAID];
	case SR_LANEID: return lane;
	case SR_WARPID: return w->number;
	case SR_NWARPID: return w->block->nwarps;
	case SR_SMID: return w->block->number % run->info.gpu->sms;
	case SR_NSMID: return run->info.gpu->sms;
	case SR_LANEMASK_EQ: return 1u << lane;
	case SR_LANEMASK_LE: return (2u << lane) - 1u;
	case SR_LANEMASK_LT: return (1u << lane) - 1u;
	case SR_LANEMASK_GE: return ~((1u << lane) - 1u);
	case SR_LANEMASK_GT: return ~((2u << lane) - 1u);
	case SR_DYNAMIC_SMEM_SIZE: return c->shared_bytes;
	case SR_TOTAL_SMEM_SIZE: return run->shape.shared_user;
	case SR_RESERVED_BEGIN:
	case SR_RESERVED_0: return run->shape.reserved;
	case SR_RESERVED_END: return run->shape.reserved + RESERVED_SHARED;
	case SR_RESERVED_CAP: return RESERVED_SHARED;
	case SR_RESERVED_1: return run->shape.reserved + RESERVED_1;
	case SR_ENVREG1: return run->grid_barrier >> 32; /* where cooperative groups keep the grid's barrier */
	case SR_ENVREG2: return (uint32_t)run->grid_barrier;
	case SR_CLUSTER_CTARANK: return w->block->rank;
	case SR_CLUSTER_NCTARANK: return run->shape.cluster_size;
	default: return 0;
	}
}
