/* trace.h: replaying what was recorded. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace_state.h"

enum {
	MOST_REPLAYED = 200000, /* instructions */
	LEAST_REPLAYED = 1 << 15,
	REPLAYED_PART = 96, /* of those of the launch: with half again, up to half of what counting takes in lab 8 */
	QUEUES = 16,        /* entries of an SM's queues for shared memory, and for global memory */
	GLOBAL_QUEUES = 48,
};

/* --- the SM ------------------------------------------------------------------------------------------------------- */

/* How long a read waits for DRAM while that does nothing but write: from the labs' times on an H200 and the published
 * bandwidths of gpu-stream on one, in steps of 100 (docs/reference/models.md). */
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
	sm.l2_rate = gpu_l2_gbps(gpu) * L2_ATTAINED / gpu_ghz(gpu) / working;
	sm.dram_rate = gpu_copy_gbps(gpu) / load->dram_longer / gpu_ghz(gpu) / working;
	if (sm.l2_rate > 64) sm.l2_rate = 64; /* what an SM takes from L2 */
	if (sm.dram_rate > 64) sm.dram_rate = 64;
	sm.l2_load_line = g->l2_load_line;
	sm.l2_store_sector = g->l2_store_sector;
	sm.l2_store_line = g->l2_store_line;
	if (load->read_sectors > 0) sm.dram_of_loads = fmin(1, load->read_bytes / 32 / load->read_sectors);
	if (load->written_sectors > 0) sm.dram_of_stores = load->written_bytes / 32 / load->written_sectors;
	/* Other SMs do as much at the same time. */
	if (load->atomics > 0) sm.atomic_clocks = load->atomics_ns / load->atomics * gpu_ghz(gpu) * working;
	sm.backlog = 1500;
	sm.block_clocks = DISPATCH_CLOCKS * working;
	sm.start_clocks = BLOCK_START_NS / 2.0 * gpu_ghz(gpu);
	sm.end_clocks = sm.start_clocks;
	sm.write_wait = WRITE_WAIT_NS * gpu_ghz(gpu);
	sm.branch_clocks = 12;
	sm.access_clocks = 32 / g->memory_lanes;
	sm.barrier_clocks = 20;
	sm.loop_clocks = LOOP_CLOCKS;
	return sm;
}

/* --- which blocks ------------------------------------------------------------------------------------------------- */

/* Blocks of which the longest does no more than so many times what the shortest does are taken for alike. */
#define ALIKE 1.25
#define MATTERS 1.05
enum { MUCH_LONGER = 2 };

typedef struct {
	const Trace *trace;
	uint32_t *at, n; /* [n] the recorded blocks that the SM gets, by index */
	double mean;     /* issue slots of one of these, over those of a recorded one on average */
	uint32_t longest;
	bool alike;
} Choice;

static double length_of(const Trace *t, uint32_t block) {
	double sum = 0;
	for (uint32_t w = 0; w < t->warps; w++) sum += t->recorded[block * t->warps + w].all;
	return sum;
}

typedef struct {
	double length;
	uint32_t block;
} Length;

static int by_length(const void *a, const void *b) {
	const Length *x = a, *y = b;
	return x->length != y->length ? (x->length > y->length) - (x->length < y->length)
								  : (x->block > y->block) - (x->block < y->block);
}

static int by_index(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
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
static void begin_with_followed(Choice *c) {
	const uint32_t followed = index_followed(c->trace);
	uint32_t place = 0;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->at[i] == followed) place = i;
	c->at[place] = c->at[0];
	c->at[0] = followed;
}

static double longest_warp(const Trace *t, uint32_t block) {
	double most = 0;
	for (uint32_t w = 0; w < t->warps; w++) most = fmax(most, t->recorded[block * t->warps + w].all);
	return most;
}

/* That whose longest warp has most to do, and of equals the one that has most. */
static uint32_t longest_of(const Trace *t) {
	uint32_t best = 0;
	for (uint32_t i = 1; i < t->nblocks; i++) {
		const double a = longest_warp(t, i), b = longest_warp(t, best);
		if (a > b || (a == b && length_of(t, i) > length_of(t, best))) best = i;
	}
	return best;
}

/* The first of the sorted blocks that has, with all shorter ones, this part of what all do: most blocks may exit at
 * once, but warps spend their cycles in the others. */
static uint32_t block_at_work(const Length *sorted, uint32_t n, double part) {
	double all = 0, sum = 0;
	for (uint32_t i = 0; i < n; i++) all += sorted[i].length;
	for (uint32_t i = 0; i < n; i++)
		if ((sum += sorted[i].length) >= part * all) return sorted[i].block;
	return sorted[n - 1].block;
}

/* If blocks differ: one from each part of their work, sorted by length, in the order of the grid. An SM that gets one
 * ends when the longest does. */
static Choice choose_blocks(const Trace *t, bool may_differ) {
	Choice c = {.trace = t, .at = xcalloc(t->nblocks + 1, sizeof *c.at), .n = t->rounds, .alike = true};
	AUTO_FREE Length *sorted = xcalloc(t->nblocks + 1, sizeof *sorted);
	double all = 0, chosen = 0;
	for (uint32_t i = 0; i < t->nblocks; i++) all += (sorted[i] = (Length){length_of(t, i), i}).length;
	qsort(sorted, t->nblocks, sizeof *sorted, by_length);
	c.longest = longest_of(t);
	c.alike = !may_differ || sorted[t->nblocks - 1].length <= ALIKE * sorted[0].length;
	for (uint32_t i = 0; i < c.n; i++) c.at[i] = c.alike ? i : block_at_work(sorted, t->nblocks, (i + 0.5) / c.n);
	qsort(c.at, c.n, sizeof *c.at, by_index);
	if (!c.alike && c.n == 1) c.at[0] = c.longest;
	if (t->follows) begin_with_followed(&c);
	for (uint32_t i = 0; i < c.n; i++) chosen += length_of(t, c.at[i]);
	c.mean = all > 0 && chosen > 0 ? chosen / c.n / (all / t->nblocks) : 1;
	return c;
}

/* --- their warps -------------------------------------------------------------------------------------------------- */

/* The trace of what the first `resident` blocks did: as much of each warp as `limit` instructions allow. */
static double share_of(const Choice *c, uint32_t resident, double limit) {
	const Trace *t = c->trace;
	double first = 0;
	for (uint32_t i = 0; i < resident && i < c->n; i++)
		for (uint32_t w = 0; w < t->warps; w++) first += t->recorded[c->at[i] * t->warps + w].kept;
	return first > limit ? limit / first : 1;
}

/* The end of the last visit lies behind it. A share is whole visits, which may be long: a loop's body after a short
 * beginning. */
static ReplayWarp warp_of(const Trace *t, Recorded *r, double share, double *kept) {
	const uint32_t n = (uint32_t)r->visits.len;
	const double most = share * r->kept;
	double slots = 0;
	uint32_t cut = 0;
	while (cut < n && (share >= 1 || slots < most)) slots += t->slots[r->visits.data[cut++].block];
	if (n) {
		vec_push(&r->visits, ((ReplayVisit){0, (uint32_t)r->accesses.len}));
		r->visits.len = n;
	}
	*kept += slots;
	return (ReplayWarp){r->visits.data, cut, r->accesses.data, r->sectors.data};
}

/* *left_out: what the warps did of which only the beginning is replayed, over what is; *slots: of a block, of that. */
static ReplayWarp *warps_of(const Choice *c, double share, double *left_out, double *slots) {
	const Trace *t = c->trace;
	ReplayWarp *warps = xcalloc((size_t)c->n * t->warps + 1, sizeof *warps);
	double kept = 0, all = 0;
	for (uint32_t i = 0; i < c->n * t->warps; i++) {
		Recorded *r = &t->recorded[c->at[i / t->warps] * t->warps + i % t->warps];
		warps[i] = warp_of(t, r, share, &kept);
		all += r->all;
	}
	*left_out = kept > 0 ? all / kept : 1;
	*slots = kept / c->n;
	return warps;
}

/* Marks the sectors that only one of the recorded blocks reads. */
static void mark_private(const Trace *t) {
	enum { COMMON = UINT32_MAX };
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

/* --- replaying ---------------------------------------------------------------------------------------------------- */

/* What a block takes beside what it does. */
static double ends_of(const ReplaySm *sm) {
	return sm->start_clocks + sm->end_clocks;
}

static double lengthened(double cycles, double times, const ReplaySm *sm) {
	const double ends = ends_of(sm);
	return cycles > ends ? ends + (cycles - ends) * times : cycles;
}

/* Where the replayed blocks have more to do than all on average, an SM has less to do. Where they have less, they may
 * be too short to tell how long more work takes: mostly their start and end. */
static double mean_length(const Choice *c, const LaunchSeen *launch, const TraceLoad *load) {
	const double replayed = load->recorded * c->mean;
	return replayed > 0 && launch->ran ? load->instructions / (double)launch->ran / replayed : 1;
}

/* In the block that has most: one that exits at once has other instructions. */
static double slots_of_instruction(const Trace *t, const TraceLoad *load) {
	double most = 0;
	for (uint32_t i = 0; i < t->nblocks; i++) most = fmax(most, length_of(t, i));
	return load->longest_recorded > 0 ? most / load->longest_recorded : 1;
}

/* How much more than the mean the largest of n sums of k blocks has, by their spread: of normally distributed ones. */
static double busiest(double n, double k, double spread) {
	if (n < 2 || k <= 0) return 1;
	const double a = sqrt(2 * log(n));
	return 1 + spread / sqrt(k) * (a - (log(log(n)) + log(4 * M_PI)) / (2 * a));
}

/* Blocks that differ: the launch ends with the SM that has most to do. Where all are there from the beginning, their
 * numbers choose who that is, and no SM has more than the longest block and its share of the rest. */
static double of_busiest(const Occupancy *o, const Gpu *gpu, const LaunchSeen *launch, double spread, double mean,
						 double longest) {
	const double k = (double)launch->blocks / gpu->sms;
	if (k <= 1 || launch->blocks > (uint64_t)o->blocks_per_sm * gpu->sms) return fmax(mean, longest);
	return fmax(longest, fmin(mean * busiest(gpu->sms, k, spread), longest + mean * (k - 1) / k));
}

/* Where blocks are alike they follow each other at a steady rate. If not, work is done as fast as it was while the SM
 * was full. */
static double all_blocks(const Choice *c, const ReplayResult *r, uint64_t blocks, double slots) {
	if (c->alike || r->pace <= 0) return r->cycles + (double)(blocks - r->blocks) * r->steady;
	return fmax(r->cycles, r->pace * slots * (double)blocks);
}

/* The first blocks of an SM, or a part of what their warps do. */
typedef struct {
	double share, left_out, slots; /* of what they do; all of it over that; issue slots of a block in it */
	ReplayResult result;
} Part;

static Part replay_part(const Choice *c, const ReplaySm *sm, uint64_t blocks, double share, uint64_t limit,
						bool follow) {
	const Trace *t = c->trace;
	Part part = {.share = share};
	ReplayWarp *warps = warps_of(c, share, &part.left_out, &part.slots);
	const uint32_t asked = blocks > 4096 ? 4096 : (uint32_t)blocks;
	part.result = replay_run(sm, &t->lifted->code, warps, c->n, t->warps, asked, limit, follow);
	free(warps);
	return part;
}

static double cycles_of(const Choice *c, const Part *part, uint64_t blocks) {
	const ReplayResult *r = &part->result;
	return r->blocks && blocks > r->blocks ? all_blocks(c, r, blocks, part->slots) : r->cycles;
}

static void part_free(Part *part) {
	free(part->result.stalls);
	free(part->result.events);
}

/* Warps whose beginning was replayed go on as the second half of that did, without what only a beginning has: an index
 * to compute, reads that find nothing in the caches. times: all that they do over what was replayed. */
static double go_on(const Choice *c, const ReplaySm *sm, const Part *whole, uint64_t blocks, uint64_t limit,
					double times) {
	const double cycles = cycles_of(c, whole, blocks),
				 all = blocks == 1 ? lengthened(cycles, times, sm) : cycles * times;
	if (times <= 1) return cycles;
	Part half = replay_part(c, sm, blocks, whole->share / 2, limit, false);
	const double first = cycles_of(c, &half, blocks);
	part_free(&half);
	if (half.slots >= whole->slots || first >= cycles) return all;
	const double rate = (cycles - first) / (whole->slots - half.slots);
	return fmin(all, cycles + rate * whole->slots * (times - 1));
}

/* The longest block alone on an SM: no launch is shorter. One that is not recorded is taken to go on like the longest
 * one that is; if that is much shorter, it is mostly beginning and end, and what is known is how long the launch's
 * instructions wait for each other. */
static double longest_alone(Choice *c, const Gpu *gpu, const Occupancy *o, const LaunchSeen *launch,
							const TraceLoad *load, double most) {
	const Trace *t = c->trace;
	Occupancy of_one = *o;
	of_one.blocks_per_sm = 1;
	const ReplaySm sm = sm_of(gpu, &of_one, launch, load, 1); /* with L2 and DRAM for itself */
	uint32_t at = c->longest;
	const Choice alone = {.trace = t, .at = &at, .n = 1, .alike = true};
	const uint64_t limit = (uint64_t)fmin(most, MOST_REPLAYED);
	Part part = replay_part(&alone, &sm, 1, share_of(&alone, 1, most), limit, false);
	/* Issue slots of a warp of the longest block of all, if its warps are alike. */
	const double warp = load->longest * slots_of_instruction(t, load) / t->warps;
	const double times = fmax(1, warp / longest_warp(t, at));
	const bool known = times <= MUCH_LONGER;
	const double cycles = go_on(&alone, &sm, &part, 1, limit, part.left_out * (known ? times : 1));
	part_free(&part);
	return known ? cycles : fmax(cycles, ends_of(&sm) + load->wait * load->longest / t->warps);
}

/* How many instructions are replayed: of a sample as many as of the whole launch, so that both give the same time. */
static double most_replayed(const LaunchSeen *launch, const TraceLoad *load) {
	const double share = launch->ran ? (double)launch->blocks / (double)launch->ran : 1;
	return fmax(LEAST_REPLAYED, load->instructions * share / REPLAYED_PART);
}

/* 0: in another file than the kernel. */
static uint32_t line_in_file(const Trace *t, uint32_t instr) {
	const Place *place = &t->places[instr];
	return place->file && t->file && strcmp(place->file, t->file) == 0 ? place->line : 0;
}

ReplayResult trace_replay(const Trace *t, const Gpu *gpu, const Occupancy *o, const LaunchSeen *launch,
						  const TraceLoad *load, bool *unequal, double *alone) {
	const double working = launch->blocks < gpu->sms ? (double)launch->blocks : gpu->sms;
	const uint64_t blocks = (launch->blocks + gpu->sms - 1) / gpu->sms;
	Occupancy there = *o;
	if (there.blocks_per_sm > blocks) there.blocks_per_sm = (uint32_t)blocks;
	ReplaySm sm = sm_of(gpu, &there, launch, load, working);
	const double most = most_replayed(launch, load);
	Choice choice = choose_blocks(t, load->longest > 0);
	const uint64_t limit = (uint64_t)fmin(most, MOST_REPLAYED);
	if (blocks > choice.n) mark_private(t);
	const Part part =
		replay_part(&choice, &sm, blocks, share_of(&choice, there.blocks_per_sm, most), limit, t->follows);
	ReplayResult out = part.result;
	for (uint32_t i = 0; i < out.nevents; i++) out.events[i].instr = line_in_file(t, out.events[i].instr);
	*unequal = !choice.alike && out.blocks && blocks > out.blocks;
	const double length = mean_length(&choice, launch, load);
	const bool differ =
		load->longest > 0 && load->recorded > 0 && (!choice.alike || load->longest > ALIKE * load->recorded);
	out.cycles = fmin(1, length) * go_on(&choice, &sm, &part, blocks, limit, part.left_out);
	if (differ) {
		const double longest = longest_alone(&choice, gpu, o, launch, load, most), before = out.cycles;
		out.cycles = of_busiest(o, gpu, launch, load->spread, before, longest);
		*alone = out.cycles <= longest ? longest : 0;
		*unequal |= out.cycles > MATTERS * before;
	}
	out.l2_loads *= part.left_out * fmin(1, length);
	free(choice.at);
	return out;
}

/* --- by line ------------------------------------------------------------------------------------------------------ */

typedef struct {
	Place at;
	double cycles[STALL_COUNT], all;
} Line;

static int by_line(const void *a, const void *b) {
	const Line *x = a, *y = b;
	const int files = strcmp(x->at.file, y->at.file);
	return files ? files : (x->at.line > y->at.line) - (x->at.line < y->at.line);
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
		if (!kept || by_line(&lines[kept - 1], &lines[i]) != 0) {
			lines[kept++] = lines[i];
			continue;
		}
		lines[kept - 1].all += lines[i].all;
		for (int k = 0; k < STALL_COUNT; k++) lines[kept - 1].cycles[k] += lines[i].cycles[k];
	}
	return kept;
}

uint32_t stall_file_of(const char *file) {
	uint32_t hash = 2166136261; /* FNV-1a: it only has to tell the files of one program apart */
	for (; *file; file++) hash = (hash ^ (uint8_t)*file) * 16777619;
	return hash;
}

void trace_lines(const Trace *t, const ReplayResult *result, Prediction *out) {
	Line *lines = xcalloc(t->lifted->code.ninstrs + 1, sizeof *lines);
	uint32_t n = 0;
	double all = 0;
	for (uint32_t i = 0; i < t->lifted->code.ninstrs; i++) {
		Line line = {.at = t->places[i]};
		for (int k = 0; k < STALL_COUNT; k++) line.all += line.cycles[k] = result->stalls[i][k];
		all += line.all;
		if (line.at.line && line.all > 0) lines[n++] = line;
	}
	n = merge(lines, n);
	qsort(lines, n, sizeof *lines, by_cycles);
	for (uint32_t i = 0; i < n && i < STALL_LINES; i++) {
		out->stall_line[i] = lines[i].at.line;
		out->stall_file[i] = stall_file_of(lines[i].at.file);
		out->stall_share[i] = lines[i].all / all;
		for (int k = 1; k < STALL_COUNT; k++)
			if (lines[i].cycles[k] > lines[i].cycles[out->stall_why[i]]) out->stall_why[i] = (uint32_t)k;
	}
	free(lines);
}
