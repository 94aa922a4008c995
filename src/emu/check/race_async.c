/* Asynchronous copies for the race checker: what a copy writes may be read only once it was waited for. */
#include "emu/check/race_async.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

AsyncBlock *async_of(Race *r, RaceBlock *b) {
	if (b->async) return b->async;
	const size_t threads = b->nwarps * LANES;
	AsyncBlock *a = b->async = xcalloc(1, sizeof *a);
	shadow_take(r->checker.info.shadow, "race",
				(r->shared_words + 1) * sizeof *a->words + 2 * threads * sizeof *a->groups);
	a->words = xcalloc(r->shared_words + 1, sizeof *a->words);
	a->groups = xcalloc(threads, sizeof *a->groups);
	a->complete = xcalloc(threads, sizeof *a->complete);
	return a;
}

void race_async_drop(RaceBlock *b) {
	if (!b->async) return;
	free(b->async->words);
	free(b->async->groups);
	free(b->async->complete);
	number_map_free(&b->async->source_at);
	vec_free(&b->async->sources);
	vec_free(&b->async->bulk);
	free(b->async);
	b->async = NULL;
}

static void copy(const Race *r, AsyncBlock *a, const AsyncEvent *e) {
	FOR_LANES(l, e->mask) {
		const uint32_t thread = e->warp * LANES + l;
		const uint64_t first = e->addr[l] / 4, end = (e->addr[l] + e->bytes + 3) / 4;
		for (uint64_t i = first; i < end && i < r->shared_words; i++)
			a->words[i] = (AsyncWord){thread + 1, a->groups[thread], e->instr};
	}
	a->any = true;
}

static void group(AsyncBlock *a, const AsyncEvent *e) {
	FOR_LANES(l, e->mask) {
		const uint32_t thread = e->warp * LANES + l;
		const bool all = e->kind == ASYNC_WAIT && e->keep == UINT32_MAX;
		if (e->kind == ASYNC_COMMIT || all) a->groups[thread]++;
		if (e->kind == ASYNC_COMMIT) continue;
		const uint32_t keep = all ? 0 : e->keep, done = a->groups[thread] > keep ? a->groups[thread] - keep : 0;
		if (done > a->complete[thread]) a->complete[thread] = done;
	}
}

/* The thread that starts the copy is its writer, and the mbarrier releases what it wrote. */
static void bulk(Race *r, RaceBlock *b, const AsyncEvent *e) {
	const uint32_t l = (uint32_t)__builtin_ctz(e->mask), thread = e->warp * LANES + l;
	AsyncBlock *to = async_of(r, e->owner == e->block ? b : block_state(&r->checker.blocks, e->owner));
	vec_push(&to->bulk, (AsyncBulk){e->addr[l], e->addr[l] + e->bytes, e->barrier, e->block, thread, e->instr});
	if (r->cluster == 1)
		race_release(r, b, e->warp, l, e->barrier, true, true, LEVEL_CTA);
	else
		race_release(r, b, e->warp, l, race_cluster_memory(r, e->owner) + e->barrier, false, true, LEVEL_GPU);
}

void race_async(Race *r, RaceBlock *b, const AsyncEvent *e) {
	if (e->kind >= ASYNC_INIT) return;
	AsyncBlock *a = async_of(r, b);
	switch (e->kind) {
	case ASYNC_COPY: copy(r, a, e); break;
	case ASYNC_BULK: bulk(r, b, e); break;
	case ASYNC_COMMIT:
	case ASYNC_WAIT: group(a, e); break;
	default: break;
	}
}

void race_async_passed(RaceBlock *b, uint64_t mbarrier) {
	AsyncBlock *a = b->async;
	for (size_t i = 0; a && i < a->bulk.len;) {
		if (a->bulk.data[i].barrier == mbarrier)
			a->bulk.data[i] = a->bulk.data[--a->bulk.len];
		else
			i++;
	}
}

/* The mbarrier completes after them; a thread that waits for it waits for them. */
void race_async_arrived(RaceBlock *b, const Access *access) {
	FOR_LANES(l, b->async ? access->mask : 0) {
		const uint32_t thread = access->warp * LANES + l;
		b->async->complete[thread] = ++b->async->groups[thread];
	}
}

void async_hit(Race *r, const Access *a, uint32_t lane, uint64_t addr, int rule, uint32_t block, uint32_t thread,
			   uint32_t instr) {
	Hit h = hit_of(a, lane, addr, a->width);
	h.rule = (uint32_t)rule;
	h.instr[1] = instr;
	h.block[1] = block;
	h.thread[1] = thread;
	h.kind[1] = rule == RULE_ASYNC ? ACCESS_STORE : ACCESS_LOAD;
	hits_add(&r->checker.hits, &h);
}

static void look_at_word(Race *r, const AsyncBlock *s, const Access *a, uint32_t lane, uint64_t word) {
	const AsyncWord *w = &s->words[word];
	if (w->thread && !is_complete(s, w)) async_hit(r, a, lane, word * 4, RULE_ASYNC, a->block, w->thread - 1, w->instr);
}

void race_async_look(Race *r, RaceBlock *b, const Access *a) {
	const AsyncBlock *s = b->async;
	FOR_LANES(l, a->mask) {
		const uint64_t from = a->addr[l], end = from + a->width;
		for (uint64_t i = from / 4; s->any && i < (end + 3) / 4 && i < r->shared_words; i++)
			look_at_word(r, s, a, l, i);
		for (size_t i = 0; i < s->bulk.len; i++)
			if (from < s->bulk.data[i].end && s->bulk.data[i].from < end)
				async_hit(r, a, l, from, RULE_ASYNC, s->bulk.data[i].block, s->bulk.data[i].thread,
						  s->bulk.data[i].instr);
	}
}
