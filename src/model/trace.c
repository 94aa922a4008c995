#include "model/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "model/code/unroll.h"

enum {
	MOST_WARPS = 64,        /* that are recorded, or one block */
	MOST_VISITS = 1 << 16,  /* of all of them together */
	MOST_REPLAYED = 200000, /* instructions */
	LEAST_REPLAYED = 1 << 15,
	REPLAYED_PART = 64, /* of those of the launch: so many times as long an instruction takes to be replayed */
	QUEUES = 16,        /* entries of an SM's queues for shared memory, and for global memory */
	GLOBAL_QUEUES = 48,
	MOST_SECTORS = 255, /* of a texture access; others have MAX_SEGMENTS at most */
};

/* A list of sectors that the warp loaded lately: threads that each read a row read the same ones several times. */
typedef struct {
	ListId id;
	uint32_t sectors;
} Known;
enum { KNOWN_BITS = 6 };

struct Recorded {
	VEC(ReplayVisit) visits;
	VEC(ReplayAccess) accesses;
	VEC(uint64_t) sectors;
	Known known[1 << KNOWN_BITS];
	uint32_t loop;    /* that polls, where the warp is; 0: in none */
	uint32_t in_loop; /* the last block of code there; UINT32_MAX: its first iteration is over */
	uint32_t again, visits_again; /* the last block of code, and how often in a row it was visited */
	bool full;        /* the rest of its way is left out */
	double all, kept; /* issue slots of what the warp did, and of what was recorded */
};

/* An mbarrier, and the numbers of its phases. */
typedef struct {
	uint32_t now, before, parity;
} Phases;

typedef struct {
	NumberMap at; /* by address: index in mbarriers + 1 */
	VEC(Phases) mbarriers;
	uint32_t nevents;
} Mbarriers;

struct Trace {
	Lifted *lifted;
	uint32_t *line_of;         /* [ninstrs] in the kernel's file; 0: in another */
	uint32_t *blocks, nblocks; /* their numbers in the grid, ascending */
	uint32_t warps;            /* of a block */
	double *slots;             /* [code.nblocks] issue slots */
	uint32_t most;             /* visits of a warp */
	Recorded *recorded;        /* [nblocks * warps] */
	Mbarriers *mbarriers;      /* [nblocks] */
	bool follows;
	uint32_t followed; /* of the grid */
};

/* --- recording ---------------------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static double *slots_of(const ReplayCode *code) {
	double *slots = xcalloc(code->nblocks + 1, sizeof *slots);
	for (uint32_t b = 0; b < code->nblocks; b++)
		for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
			slots[b] += code->ops[i].free ? 0 : code->ops[i].slots;
	return slots;
}

static uint32_t *lines_of(const LaunchInfo *info) {
	uint32_t *lines = xcalloc(info->ninstrs + 1, sizeof *lines);
	for (uint32_t f = 0; f < info->nfunctions; f++)
		for (uint32_t i = 0; i < info->functions[f]->ninstrs; i++) {
			const PtxInstr *in = &info->functions[f]->instrs[i];
			if (in->file == info->functions[0]->file) lines[info->first[f] + i] = in->line;
		}
	return lines;
}

/* The wanted block takes the place of the recorded one that is closest to it. */
static void record_too(Trace *t, uint32_t block) {
	uint32_t at = 0;
	for (uint32_t i = 1; i < t->nblocks; i++)
		if (labs((long)t->blocks[i] - (long)block) < labs((long)t->blocks[at] - (long)block)) at = i;
	t->blocks[at] = block;
}

Trace *trace_new(const Gpu *gpu, const LaunchInfo *info, const InstrCost *costs, const uint32_t *follow) {
	const LaunchConfig *c = &info->config;
	const uint64_t ran = launch_blocks_run(c), rounds = (launch_blocks(c) + gpu->sms - 1) / gpu->sms;
	Trace *t = xcalloc(1, sizeof *t);
	t->lifted = lift(gpu, info, costs);
	t->line_of = lines_of(info);
	t->slots = slots_of(&t->lifted->code);
	t->warps = (c->block[0] * c->block[1] * c->block[2] + 31) / 32;
	if (!t->warps) t->warps = 1;
	uint64_t n = MOST_WARPS / t->warps;
	if (n > ran) n = ran;
	if (n > rounds) n = rounds;
	if (!n) n = 1;
	t->nblocks = (uint32_t)n;
	t->blocks = xcalloc(n + 1, sizeof *t->blocks);
	for (uint64_t i = 0; i < n; i++) t->blocks[i] = (uint32_t)launch_block_of(c, i * ran / n);
	if (follow && ran == launch_blocks(c) && *follow < ran) record_too(t, *follow);
	qsort(t->blocks, n, sizeof *t->blocks, by_number);
	t->follows = follow != NULL;
	t->followed = follow ? *follow : 0;
	t->most = (uint32_t)(MOST_VISITS / (n * t->warps));
	t->recorded = xcalloc(n * t->warps + 1, sizeof *t->recorded);
	t->mbarriers = xcalloc(n, sizeof *t->mbarriers);
	return t;
}

void trace_free(Trace *t) {
	if (!t) return;
	for (uint32_t i = 0; i < t->nblocks * t->warps; i++) {
		vec_free(&t->recorded[i].visits);
		vec_free(&t->recorded[i].accesses);
		vec_free(&t->recorded[i].sectors);
	}
	for (uint32_t i = 0; i < t->nblocks; i++) {
		number_map_free(&t->mbarriers[i].at);
		vec_free(&t->mbarriers[i].mbarriers);
	}
	free(t->recorded);
	free(t->mbarriers);
	free(t->blocks);
	free(t->line_of);
	free(t->slots);
	lift_free(t->lifted);
	free(t);
}

Recorded *trace_block(const Trace *t, uint32_t block) {
	const uint32_t *at = bsearch(&block, t->blocks, t->nblocks, sizeof *t->blocks, by_number);
	return at ? &t->recorded[(uint32_t)(at - t->blocks) * t->warps] : NULL;
}

/* Is it the first iteration, as far as one can see? */
static bool is_first_time(Recorded *r, uint32_t loop, uint32_t code) {
	if (!loop || loop != r->loop) {
		r->loop = loop;
		r->in_loop = code;
		return true;
	}
	const bool on = r->in_loop != UINT32_MAX && code > r->in_loop;
	r->in_loop = on ? code : UINT32_MAX;
	return on;
}

/* The last visits, of one block, are one of another. Those that are left at a loop's end stay. */
static void unroll(const Trace *t, Recorded *r, uint32_t unrolled) {
	const double more = t->slots[unrolled] - UNROLL * t->slots[r->again];
	r->visits_again = 0;
	r->all += more;
	if (r->full) return;
	r->kept += more;
	r->visits.len -= UNROLL - 1;
	vec_last(&r->visits).block = unrolled;
}

void trace_visit(const Trace *t, Recorded *block, uint32_t warp, uint32_t instr, uint32_t loop) {
	Recorded *r = &block[warp];
	const uint32_t code = t->lifted->block_at[instr];
	if (code == UINT32_MAX || !is_first_time(r, loop, code)) return;
	r->visits_again = code == r->again ? r->visits_again + 1 : 1;
	r->again = code;
	r->all += t->slots[code];
	if (!r->full) {
		r->kept += t->slots[code];
		vec_push(&r->visits, ((ReplayVisit){code, (uint32_t)r->accesses.len}));
	}
	const uint32_t unrolled = loop ? UINT32_MAX : t->lifted->unrolled[code];
	if (unrolled != UINT32_MAX && r->visits_again == UNROLL) unroll(t, r, unrolled);
	r->full |= r->visits.len > t->most;
}

static ReplayKind kind_of(AccessKind kind) {
	return kind == ACCESS_LOAD ? REPLAY_LOAD : kind == ACCESS_STORE ? REPLAY_STORE : REPLAY_ATOMIC;
}

static void add_sectors(Recorded *r, uint64_t origin, const AccessPattern *p) {
	vec_reserve(&r->sectors, r->sectors.len + p->sectors);
	uint64_t *to = r->sectors.data + r->sectors.len;
	for (uint32_t i = 0; i < p->ntouched; i++)
		for (uint32_t left = p->touched[i].sectors; left; left &= left - 1)
			*to++ = origin + p->touched[i].line * SECTORS_PER_LINE + (uint32_t)__builtin_ctz(left);
	r->sectors.len += p->sectors;
}

void trace_global(Recorded *block, const Access *a, uint64_t origin, const AccessPattern *p, uint32_t passes,
				  bool cached) {
	Recorded *r = &block[a->warp];
	if (r->full) return;
	ReplayAccess out = {.instr = a->instr,
						.kind = (uint8_t)kind_of(a->kind),
						.cached = cached,
						.passes = (uint16_t)passes,
						.lines = (uint8_t)p->lines,
						.nsectors = (uint8_t)p->sectors,
						.sectors = (uint32_t)r->sectors.len};
	if (a->kind == ACCESS_LOAD) {
		const ListId id = {p->list, origin};
		Known *known = &r->known[list_place(id, KNOWN_BITS)];
		const bool again = p->list && same_list(known->id, id);
		if (!again) add_sectors(r, origin, p);
		if (!again) *known = (Known){id, out.sectors};
		out.sectors = known->sectors;
	}
	vec_push(&r->accesses, out);
}

void trace_passes(Recorded *block, const Access *a, uint32_t passes, uint32_t iterations) {
	Recorded *r = &block[a->warp];
	if (r->full) return;
	vec_push(&r->accesses, ((ReplayAccess){.instr = a->instr,
										   .kind = REPLAY_LOAD,
										   .cached = true,
										   .passes = (uint16_t)passes,
										   .lines = (uint8_t)iterations,
										   .sectors = (uint32_t)r->sectors.len}));
}

void trace_bulk(Recorded *block, const BulkRow *row, const TouchedLine *lines, uint32_t n) {
	Recorded *r = &block[row->warp];
	if (r->full) return;
	ReplayAccess out = {.instr = row->instr,
						.kind = (uint8_t)kind_of(row->kind),
						.passes = (uint16_t)n,
						.lines = (uint8_t)n,
						.sectors = (uint32_t)r->sectors.len};
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < SECTORS_PER_LINE; k++) {
			if (!(lines[i].sectors >> k & 1)) continue;
			out.nsectors++;
			if (row->kind == ACCESS_LOAD) vec_push(&r->sectors, lines[i].line * SECTORS_PER_LINE + k);
		}
	vec_push(&r->accesses, out);
}

enum { NO_PHASE = UINT32_MAX };

static Phases *phases_of(Mbarriers *m, const AsyncEvent *e) {
	uint64_t *at = number_map_at(&m->at, e->barrier + 1);
	const bool begins = !*at || e->kind == ASYNC_INIT;
	if (!*at) {
		vec_push(&m->mbarriers, (Phases){0});
		*at = m->mbarriers.len;
	}
	Phases *p = &m->mbarriers.data[*at - 1];
	if (begins)
		*p = (Phases){m->nevents++, NO_PHASE, e->kind == ASYNC_INIT ? 0 : e->phase};
	else if (p->parity != e->phase)
		*p = (Phases){m->nevents++, p->now, e->phase};
	return p;
}

static void add_event(Recorded *r, const AsyncEvent *e, ReplayKind kind, uint32_t passes, uint32_t event) {
	vec_push(&r->accesses,
			 ((ReplayAccess){.instr = e->instr, .kind = (uint8_t)kind, .passes = (uint16_t)passes, .event = event}));
}

/* Which phase is waited for shows whether it is over; a test that is not polled waits for nothing. */
static void add_test(Recorded *r, const AsyncEvent *e, const Phases *p, bool polled) {
	const uint32_t phase = e->over ? p->before : polled ? p->now : NO_PHASE;
	if (phase != NO_PHASE) add_event(r, e, REPLAY_AWAIT, 0, phase);
}

void trace_async(const Trace *t, Recorded *block, const AsyncEvent *e, bool polled) {
	Recorded *r = &block[e->warp];
	Mbarriers *m = &t->mbarriers[(block - t->recorded) / t->warps];
	const Phases *p = e->kind >= ASYNC_BULK && e->kind <= ASYNC_TEST && e->owner == e->block ? phases_of(m, e) : NULL;
	if (r->full) return;
	switch (e->kind) {
	case ASYNC_COMMIT: add_event(r, e, REPLAY_COMMIT, 0, 0); break;
	case ASYNC_WAIT:
		if (e->keep == UINT32_MAX) add_event(r, e, REPLAY_COMMIT, 0, 0);
		add_event(r, e, REPLAY_WAIT, e->keep == UINT32_MAX ? 0 : e->keep, 0);
		break;
	case ASYNC_PRODUCT_COMMIT: add_event(r, e, REPLAY_COMMIT_PRODUCTS, 0, 0); break;
	case ASYNC_PRODUCT_WAIT: add_event(r, e, REPLAY_WAIT_PRODUCTS, e->keep, 0); break;
	case ASYNC_BULK:
	case ASYNC_ARRIVE:
		if (p) add_event(r, e, REPLAY_SIGNAL, 0, p->now);
		break;
	case ASYNC_ARRIVE_LATER:
		if (p) add_event(r, e, REPLAY_SIGNAL_LATER, 0, p->now);
		break;
	case ASYNC_TEST:
		if (p) add_test(r, e, p, polled);
		break;
	default: break;
	}
}

void trace_texture(Recorded *block, const TextureAccess *a, uint64_t base) {
	Recorded *r = &block[a->warp];
	if (r->full) return;
	ReplayAccess out = {.instr = a->instr,
						.kind = (uint8_t)kind_of(a->kind),
						.cached = true,
						.passes = (uint16_t)__builtin_popcount(a->mask),
						.sectors = (uint32_t)r->sectors.len};
	for (uint32_t i = 0; i < a->nsectors && out.nsectors < MOST_SECTORS; i++) {
		out.nsectors++;
		vec_push(&r->sectors, base / 32 + a->sectors[i]);
	}
	vec_push(&r->accesses, out);
}

/* --- replaying ---------------------------------------------------------------------------------------------------- */

/* How long a read waits for DRAM while that does nothing but write: from the labs' times on an H200 and the published
 * bandwidths of gpu-stream on one, in steps of 100 (docs/records/predictions.md). */
#define WRITE_WAIT_NS 500

/* An iteration of a float's addition in shared memory: 1 to 32 lanes per word, 1 and 8 warps, on an H200. */
#define LOOP_CLOCKS 95

/* A part is what one scheduler issues for, an instruction per cycle; it has its share of the SM's lanes. */
static uint32_t parts_of(const Gpu *gpu) {
	return (uint32_t)gpu->generation->issue;
}

static double interval(const Gpu *gpu, double lanes) {
	return lanes > 0 ? parts_of(gpu) * 32 / lanes : 0;
}

static void set_units(ReplaySm *sm, const Gpu *gpu) {
	const Generation *g = gpu->generation;
	double *in = sm->intervals;
	in[UNIT_INT] = interval(gpu, g->int_lanes);
	in[UNIT_MULTIPLY] = interval(gpu, g->multiply_lanes > 0 ? g->multiply_lanes : g->int_lanes);
	in[UNIT_FP32] = interval(gpu, gpu->fp32_lanes);
	in[UNIT_FP64] = interval(gpu, gpu->fp32_lanes * gpu->fp64_ratio);
	in[UNIT_FP16] = interval(gpu, gpu->fp32_lanes * g->half_lanes);
	in[UNIT_MATRIX] = 2;
	in[UNIT_SPECIAL] = interval(gpu, gpu->sfu_lanes);
	in[UNIT_CONVERT] = interval(gpu, g->convert_lanes);
	in[UNIT_SHARED] = in[UNIT_GLOBAL] = g->pass_clocks;
	in[UNIT_SHUFFLE] = 32 / g->memory_lanes;
	in[UNIT_CONSTANT] = g->constant_clocks / CONSTANT_PARTS;
	in[UNIT_TEXTURE] = 1 / g->texture_units;
}

static double positive(double value, double otherwise) {
	return value > 0 ? value : otherwise;
}

static ReplaySm sm_of(const Gpu *gpu, const Occupancy *o, const LaunchSeen *launch, const TraceLoad *load,
					  double working) {
	const Generation *g = gpu->generation;
	const uint32_t parts = parts_of(gpu);
	ReplaySm sm = {
		.parts = parts, .queue = QUEUES / parts, .global_queue = GLOBAL_QUEUES / parts, .resident = o->blocks_per_sm};
	const size_t shared = g->l1_shared ? sm.resident * (launch->shared + gpu->shared_reserved) : 0;
	set_units(&sm, gpu);
	sm.intervals[UNIT_BARRIER] = launch_barrier(launch, g);
	sm.l1_lines = shared < g->l1_bytes ? (uint32_t)((g->l1_bytes - shared) / 128) : 0;
	sm.latency_l1 = L1_CLOCKS;
	sm.latency_shared = positive(gpu->latency_shared, 30) - 6;
	sm.latency_dram = positive(gpu->latency_dram, UNKNOWN_DRAM_CLOCKS);
	sm.latency_l2 = L2_OF_DRAM * sm.latency_dram;
	sm.l2_rate = gpu_l2_gbps(gpu) * L2_ATTAINED / gpu->shader_ghz / working;
	sm.dram_rate = gpu_copy_gbps(gpu) / gpu->shader_ghz / working;
	if (sm.l2_rate > 64) sm.l2_rate = 64; /* what an SM takes from L2 */
	if (sm.dram_rate > 64) sm.dram_rate = 64;
	sm.l2_load_line = g->l2_load_line;
	sm.l2_store_sector = g->l2_store_sector;
	sm.l2_store_line = g->l2_store_line;
	if (load->read_sectors > 0) sm.dram_of_loads = fmin(1, load->read_bytes / 32 / load->read_sectors);
	if (load->written_sectors > 0) sm.dram_of_stores = load->written_bytes / 32 / load->written_sectors;
	/* Other SMs do as much at the same time. */
	if (load->atomics > 0) sm.atomic_clocks = load->atomics_ns / load->atomics * gpu->shader_ghz * working;
	sm.backlog = 1500;
	sm.block_clocks = DISPATCH_CLOCKS * working;
	sm.start_clocks = BLOCK_START_NS / 2.0 * gpu->shader_ghz;
	sm.end_clocks = sm.start_clocks;
	sm.write_wait = WRITE_WAIT_NS * gpu->shader_ghz;
	sm.branch_clocks = 12;
	sm.line_passes = 0.5;
	sm.barrier_clocks = 20;
	sm.loop_clocks = LOOP_CLOCKS;
	return sm;
}

/* Of what the blocks did that are there at first: as much of each warp as `limit` instructions allow. */
static double share_of(const Trace *t, uint32_t resident, double limit) {
	double first = 0;
	for (uint32_t i = 0; i < (resident < t->nblocks ? resident : t->nblocks) * t->warps; i++)
		first += t->recorded[i].kept;
	return first > limit ? limit / first : 1;
}

/* *left_out: what the warps did of which only the beginning is replayed, over what is. */
static ReplayWarp *warps_of(const Trace *t, double share, double *left_out) {
	ReplayWarp *warps = xcalloc((size_t)t->nblocks * t->warps + 1, sizeof *warps);
	double kept = 0, all = 0;
	for (uint32_t i = 0; i < t->nblocks * t->warps; i++) {
		Recorded *r = &t->recorded[i];
		const uint32_t n = (uint32_t)r->visits.len, cut = share < 1 ? (uint32_t)ceil(share * n) : n;
		if (n) {
			vec_push(&r->visits, ((ReplayVisit){0, (uint32_t)r->accesses.len}));
			r->visits.len = n; /* the end lies behind it */
		}
		warps[i] = (ReplayWarp){r->visits.data, cut, r->accesses.data, r->sectors.data};
		for (uint32_t k = 0; k < cut; k++) kept += t->slots[r->visits.data[k].block];
		all += r->all;
	}
	*left_out = kept > 0 ? all / kept : 1;
	return warps;
}

enum { COMMON = UINT32_MAX };

/* Marks the sectors that only one of the recorded blocks reads. */
static void mark_private(const Trace *t) {
	NumberMap readers = {0};
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < t->nblocks * t->warps; i++) {
			const Recorded *r = &t->recorded[i];
			for (size_t k = 0; k < r->accesses.len; k++) {
				const ReplayAccess *a = &r->accesses.data[k];
				for (uint32_t s = 0; s < a->nsectors && a->kind == REPLAY_LOAD; s++) {
					uint64_t *sector = &r->sectors.data[a->sectors + s];
					const uint64_t number = (*sector & ~REPLAY_PRIVATE) + 1, block = i / t->warps + 1;
					if (pass) {
						if (number_map_get(&readers, number) != COMMON) *sector |= REPLAY_PRIVATE;
						continue;
					}
					uint64_t *reader = number_map_at(&readers, number);
					*reader = *reader && *reader != block ? COMMON : block;
				}
			}
		}
	number_map_free(&readers);
}

/* The index of the followed block among the recorded ones: itself, or the one before it. */
static uint32_t index_followed(const Trace *t) {
	uint32_t at = 0;
	for (uint32_t i = 0; i < t->nblocks; i++)
		if (t->blocks[i] <= t->followed) at = i;
	return at;
}

uint32_t trace_followed(const Trace *t) {
	return t->blocks[index_followed(t)];
}

/* It is the first one that the SM gets. */
static void begin_with_followed(const Trace *t, ReplayWarp *warps) {
	const uint32_t at = index_followed(t) * t->warps;
	for (uint32_t i = 0; i < t->warps && at; i++) {
		const ReplayWarp other = warps[i];
		warps[i] = warps[at + i];
		warps[at + i] = other;
	}
}

/* Where the blocks in the trace have more to do than all on average, an SM has less to do. Where they have less, they
 * may be too short to tell how long more work takes: mostly their start and end. */
static double length_of_blocks(const LaunchSeen *launch, const TraceLoad *load) {
	return load->recorded > 0 && launch->ran ? fmin(1, load->instructions / (double)launch->ran / load->recorded) : 1;
}

/* The longest block alone on its SM, if each has one. If it is in the trace, it takes its share of the first round at
 * least, as if the SM were busy with all blocks there. If not, the same without what blocks take to start and end, and
 * no warp issues more than an instruction per cycle. */
static double longest_block(const Trace *t, const ReplayResult *result, const ReplaySm *sm, const TraceLoad *load,
							double left_out, bool alone) {
	const double ends = sm->start_clocks + sm->end_clocks;
	if (!(load->recorded > 0) || !(load->longest > 0)) return 0;
	if (alone) return ends + (result->cycles - ends) * load->longest / load->recorded;
	const double times = load->longest / (sm->resident * load->recorded);
	if (load->longest <= load->longest_recorded) return result->first_round * times;
	const double issued = load->longest / fmin(sm->parts, t->warps) / left_out; /* the caller adds what was left out */
	return ends + fmax(fmax(result->first_round - ends, 0) * times, issued);
}

ReplayResult trace_replay(const Trace *t, const Gpu *gpu, const Occupancy *o, const LaunchSeen *launch,
						  const TraceLoad *load) {
	const double working = launch->blocks < gpu->sms ? (double)launch->blocks : gpu->sms;
	const uint64_t blocks = (launch->blocks + gpu->sms - 1) / gpu->sms;
	Occupancy there = *o;
	if (there.blocks_per_sm > blocks) there.blocks_per_sm = (uint32_t)blocks;
	ReplaySm sm = sm_of(gpu, &there, launch, load, working);
	const double most = fmax(LEAST_REPLAYED, load->instructions / REPLAYED_PART);
	double left_out;
	ReplayWarp *warps = warps_of(t, share_of(t, there.blocks_per_sm, most), &left_out);
	if (blocks > t->nblocks) mark_private(t);
	if (t->follows) begin_with_followed(t, warps);
	const uint32_t asked = blocks > 4096 ? 4096 : (uint32_t)blocks;
	ReplayResult out = replay_run(&sm, &t->lifted->code, warps, t->nblocks, t->warps, asked,
								  (uint64_t)fmin(most, MOST_REPLAYED), t->follows);
	for (uint32_t i = 0; i < out.nevents; i++) out.events[i].instr = t->line_of[out.events[i].instr];
	free(warps);
	if (out.blocks && blocks > out.blocks) out.cycles += (double)(blocks - out.blocks) * out.steady;
	const double length = length_of_blocks(launch, load);
	out.cycles = left_out * fmax(out.cycles * length, longest_block(t, &out, &sm, load, left_out, blocks == 1));
	out.l2_loads *= left_out * length;
	return out;
}

/* --- by line ------------------------------------------------------------------------------------------------------ */

typedef struct {
	uint32_t line;
	double cycles[STALL_COUNT], all;
} Line;

static int by_line(const void *a, const void *b) {
	const Line *x = a, *y = b;
	return (x->line > y->line) - (x->line < y->line);
}

static int by_cycles(const void *a, const void *b) {
	const Line *x = a, *y = b;
	return x->all != y->all ? (x->all < y->all) - (x->all > y->all) : by_line(a, b);
}

/* Sums what is at the same line; returns how many lines there are. */
static uint32_t merge(Line *lines, uint32_t n) {
	uint32_t kept = 0;
	qsort(lines, n, sizeof *lines, by_line);
	for (uint32_t i = 0; i < n; i++) {
		if (!kept || lines[kept - 1].line != lines[i].line) {
			lines[kept++] = lines[i];
			continue;
		}
		lines[kept - 1].all += lines[i].all;
		for (int k = 0; k < STALL_COUNT; k++) lines[kept - 1].cycles[k] += lines[i].cycles[k];
	}
	return kept;
}

void trace_lines(const Trace *t, const ReplayResult *result, Prediction *out) {
	Line *lines = xcalloc(t->lifted->code.ninstrs + 1, sizeof *lines);
	uint32_t n = 0;
	double all = 0;
	for (uint32_t i = 0; i < t->lifted->code.ninstrs; i++) {
		Line line = {.line = t->line_of[i]};
		for (int k = 0; k < STALL_COUNT; k++) line.all += line.cycles[k] = result->stalls[i][k];
		all += line.all;
		if (line.line && line.all > 0) lines[n++] = line;
	}
	n = merge(lines, n);
	qsort(lines, n, sizeof *lines, by_cycles);
	for (uint32_t i = 0; i < n && i < STALL_LINES; i++) {
		out->stall_line[i] = lines[i].line;
		out->stall_share[i] = lines[i].all / all;
		for (int k = 1; k < STALL_COUNT; k++)
			if (lines[i].cycles[k] > lines[i].cycles[out->stall_why[i]]) out->stall_why[i] = (uint32_t)k;
	}
	free(lines);
}
