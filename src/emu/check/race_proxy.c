/* The async proxy for the race checker: wgmma and bulk copies read shared memory through it, and the program has to
 * wait for the end of a read.
 *
 * What threads write by loads and stores (the generic proxy) the async proxy sees after a fence.proxy.async that
 * follows the write: of the thread that wrote, or of one that reads and knows of the write. What wgmma reads may be
 * written again only after a warp of its warpgroup waited for the product's group. A product is one operation of four
 * warps: what it reads is no access of a thread, and a wait of one warp is enough.
 *
 * Each word of shared memory remembers its last write and the last product that read it. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "emu/check/race.h"

enum { GROUP_WARPS = 4, PIECE = 16, WAITS = 8 };

typedef struct {
	uint32_t written, thread, instr; /* written: the number of the write; 0: none, or by the async proxy */
	uint32_t group, reader_instr;    /* group: of products, in its warpgroup */
	uint32_t reader;                 /* first warp of the warpgroup + 1; 0: none */
} ProxyWord;

/* A wait of a warp: so many groups are complete since this time. */
typedef struct {
	uint32_t complete, time;
} Wait;

typedef struct {
	uint32_t groups; /* committed */
	uint32_t fenced; /* number of the last write before a fence by any lane */
	Wait waits[WAITS];
	uint32_t nwaits;
} ProxyWarp;

typedef struct ProxyBlock {
	ProxyWord *words; /* [shared_words] */
	uint32_t *fenced; /* by thread: number of the last write before its last fence */
	ProxyWarp *warps;
	uint32_t writes;
} ProxyBlock;

bool race_proxy_reads(const LaunchInfo *info) {
	for (uint32_t f = 0; f < info->nfunctions; f++)
		for (uint32_t i = 0; i < info->functions[f]->ninstrs; i++) {
			const PtxInstr *in = &info->functions[f]->instrs[i];
			if (in->op == OP_WGMMA || (in->op == OP_CP && in->mods & MOD_BULK && in->space == SPACE_GLOBAL))
				return true;
		}
	return false;
}

static ProxyBlock *proxy_of(Race *r, RaceBlock *b) {
	if (b->proxy) return b->proxy;
	ProxyBlock *p = b->proxy = xcalloc(1, sizeof *p);
	const size_t threads = b->nwarps * LANES;
	shadow_take(r->checker.info.shadow, "race",
				(r->shared_words + 1) * sizeof *p->words + threads * sizeof *p->fenced + b->nwarps * sizeof *p->warps);
	p->words = xcalloc(r->shared_words + 1, sizeof *p->words);
	p->fenced = xcalloc(threads, sizeof *p->fenced);
	p->warps = xcalloc(b->nwarps, sizeof *p->warps);
	return p;
}

void race_proxy_drop(RaceBlock *b) {
	if (!b->proxy) return;
	free(b->proxy->words);
	free(b->proxy->fenced);
	free(b->proxy->warps);
	free(b->proxy);
	b->proxy = NULL;
}

void race_proxy_fence(Race *r, RaceBlock *b, uint32_t warp, uint32_t mask) {
	ProxyBlock *p = proxy_of(r, b);
	p->warps[warp].fenced = p->writes;
	for (uint32_t m = mask; m; m &= m - 1) p->fenced[warp * LANES + (uint32_t)__builtin_ctz(m)] = p->writes;
}

/* --- reads by the async proxy ------------------------------------------------------------------------------------- */

typedef struct {
	uint32_t instr, warp, nwarps; /* the warps that execute it */
} Reader;

static void read_hit(Race *r, const RaceBlock *b, const Reader *by, uint32_t rule, uint32_t instr, uint32_t thread,
					 uint64_t word) {
	const Hit h = {.rule = rule,
				   .instr = {by->instr, instr},
				   .block = {b->number, b->number},
				   .thread = {by->warp * LANES, thread},
				   .kind = {ACCESS_LOAD, ACCESS_STORE},
				   .space = SPACE_SHARED,
				   .width = 4,
				   .addr = word * 4,
				   .count = 1};
	hits_add(&r->checker.hits, &h);
}

static bool visible(const ProxyBlock *p, const Reader *by, const ProxyWord *w) {
	if (!w->written || w->written <= p->fenced[w->thread]) return true;
	for (uint32_t i = 0; i < by->nwarps; i++)
		if (w->written <= p->warps[by->warp + i].fenced) return true;
	return false;
}

static bool warp_knows(const Race *r, const RaceBlock *b, uint32_t warp, Cell write) {
	for (uint32_t l = 0; l < LANES; l++)
		if (race_ordered(r, b, warp * LANES + l, write)) return true;
	return false;
}

/* A product's reads are no accesses of threads: the order of the last write is examined here. */
static void after_write(Race *r, const RaceBlock *b, const Reader *by, uint64_t word) {
	const Cell write = b->shared[CELL_WRITE * r->shared_words + word];
	if (!cell_time(write) || cell_time(write) < b->floor) return;
	for (uint32_t i = 0; i < by->nwarps; i++) {
		if (warp_knows(r, b, by->warp + i, write)) continue;
		read_hit(r, b, by, RULE_PRODUCT_READ, r->instr_of.data[cell_site(write)], cell_thread(write), word);
		return;
	}
}

static void read_words(Race *r, const RaceBlock *b, const ProxyBlock *p, const Reader *by, uint64_t from,
					   uint32_t bytes) {
	for (uint64_t i = from / 4; i < (from + bytes + 3) / 4 && i < r->shared_words; i++) {
		const ProxyWord *w = &p->words[i];
		if (!visible(p, by, w)) read_hit(r, b, by, RULE_PROXY, w->instr, w->thread, i);
	}
}

/* Whether copies that no thread waited for still write what the product reads. */
static void after_copies(Race *r, RaceBlock *b, const AsyncEvent *e) {
	for (uint32_t i = 0; b->async && i < e->npieces; i += LANES) {
		uint64_t addr[LANES] = {0};
		const uint32_t n = e->npieces - i < LANES ? e->npieces - i : LANES;
		for (uint32_t l = 0; l < n; l++) addr[l] = e->pieces[i + l];
		const Access a = {.instr = e->instr,
						  .kind = ACCESS_LOAD,
						  .space = SPACE_SHARED,
						  .width = PIECE,
						  .mask = n == LANES ? UINT32_MAX : (1u << n) - 1,
						  .addr = addr,
						  .block = e->block,
						  .warp = e->warp,
						  .owner = e->block};
		race_async_look(r, b, &a);
	}
}

static void product(Race *r, RaceBlock *b, const AsyncEvent *e) {
	ProxyBlock *p = proxy_of(r, b);
	const Reader by = {.instr = e->instr, .warp = e->warp & ~(GROUP_WARPS - 1u), .nwarps = GROUP_WARPS};
	after_copies(r, b, e);
	for (uint32_t i = 0; i < e->npieces; i++) {
		read_words(r, b, p, &by, e->pieces[i], PIECE);
		for (uint32_t k = 0; k < PIECE / 4; k++) {
			const uint64_t word = e->pieces[i] / 4 + k;
			if (word >= r->shared_words) continue;
			if (r->cluster == 1) after_write(r, b, &by, word);
			p->words[word].reader = by.warp + 1;
			p->words[word].group = p->warps[by.warp].groups;
			p->words[word].reader_instr = e->instr;
		}
	}
}

/* --- groups of products ------------------------------------------------------------------------------------------- */

static void wait(Race *r, RaceBlock *b, const AsyncEvent *e) {
	ProxyWarp *w = &proxy_of(r, b)->warps[e->warp];
	const uint32_t complete = w->groups > e->keep ? w->groups - e->keep : 0;
	b->touched = true; /* what follows has a later time */
	const Wait now = {.complete = complete, .time = b->now};
	if (!w->nwaits || w->waits[(w->nwaits - 1) % WAITS].complete < complete) w->waits[w->nwaits++ % WAITS] = now;
	if (!race_whole_warp(r, e->warp, e->mask)) race_settle(r, b);
	race_met(r, b, e->warp, e->mask);
}

void race_proxy(Race *r, RaceBlock *b, const AsyncEvent *e) {
	if (r->last_block != b->number) race_tick(r, b);
	switch (e->kind) {
	case ASYNC_PRODUCT: product(r, b, e); break;
	case ASYNC_PRODUCT_COMMIT: proxy_of(r, b)->warps[e->warp].groups++; break;
	case ASYNC_PRODUCT_WAIT: wait(r, b, e); break;
	default: break;
	}
}

/* Does the thread know that a warp waited for the product that read the word? */
static bool knows_the_end(const Race *r, const RaceBlock *b, const ProxyWord *word, uint32_t thread) {
	for (uint32_t i = 0; i < GROUP_WARPS; i++) {
		const uint32_t warp = word->reader - 1 + i;
		const ProxyWarp *w = &b->proxy->warps[warp];
		const uint32_t first = w->nwaits > WAITS ? w->nwaits - WAITS : 0;
		for (uint32_t k = first; k < w->nwaits; k++) {
			const Wait *known = &w->waits[k % WAITS];
			if (known->complete <= word->group) continue;
			const Cell end = known->time | (Cell)(warp * LANES) << THREAD_SHIFT | CELL_SEVERAL;
			if ((k == first && first) || race_ordered(r, b, thread, end)) return true; /* older ones are forgotten */
			break;
		}
	}
	return false;
}

/* --- accesses of threads ------------------------------------------------------------------------------------------ */

static void written(Race *r, RaceBlock *b, const Access *a, uint32_t lane, uint64_t i, bool async) {
	ProxyBlock *p = b->proxy;
	ProxyWord *w = &p->words[i];
	const uint32_t thread = a->warp * LANES + lane;
	if (w->reader && !knows_the_end(r, b, w, thread)) {
		const Hit h = {.rule = RULE_PRODUCT_WRITE,
					   .instr = {a->instr, w->reader_instr},
					   .block = {b->number, b->number},
					   .thread = {thread, (w->reader - 1) * LANES},
					   .kind = {a->kind, ACCESS_LOAD},
					   .space = SPACE_SHARED,
					   .width = a->width,
					   .addr = i * 4,
					   .count = 1};
		hits_add(&r->checker.hits, &h);
	}
	*w = (ProxyWord){.written = async ? 0 : p->writes, .thread = thread, .instr = a->instr};
}

void race_proxy_access(Race *r, RaceBlock *b, const Access *a) {
	const PtxInstr *in = instr_at(&r->checker.info, a->instr);
	const bool async = in && in->op == OP_CP && in->mods & MOD_BULK;
	ProxyBlock *p = proxy_of(r, b);
	if (a->kind != ACCESS_LOAD) p->writes++;
	for (uint32_t m = a->mask; m; m &= m - 1) {
		const uint32_t l = (uint32_t)__builtin_ctz(m);
		const Reader by = {.instr = a->instr, .warp = a->warp, .nwarps = 1};
		if (a->kind == ACCESS_LOAD && async) read_words(r, b, p, &by, a->addr[l], a->width);
		if (a->kind == ACCESS_LOAD) continue;
		for (uint64_t i = a->addr[l] / 4; i < (a->addr[l] + a->width + 3) / 4 && i < r->shared_words; i++)
			written(r, b, a, l, i, async);
	}
}
