#include "exec/held.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/text/mangled.h"

enum { MOST_TYPES = 64 };

static Held *held_of(const OrderedEntry *e) {
	return e ? (Held *)(uintptr_t)e->value : NULL; /* NOLINT(performance-no-int-to-ptr) */
}

static void forget_freed(HeldMap *all, Held *h) {
	ordered_remove(&all->freed, h->addr);
	free(h);
}

/* The address may be one that was released, where the runtime chooses it. */
static void forget_freed_in(HeldMap *all, uint64_t addr, uint64_t bytes) {
	for (Held *h; (h = held_of(ordered_floor(&all->freed, addr + bytes - 1))) && h->addr + h->bytes > addr;)
		forget_freed(all, h);
}

Held *held_add(HeldMap *all, uint64_t addr, uint64_t bytes, const char *name) {
	forget_freed_in(all, addr, bytes);
	Held *held = xcalloc(1, sizeof *held);
	held->addr = addr;
	held->bytes = bytes;
	snprintf(held->name, sizeof held->name, "%s", name);
	*ordered_at(&all->map, addr) = (uintptr_t)held;
	return held;
}

Held *held_at(const HeldMap *all, uint64_t addr) {
	Held *h = held_of(ordered_floor(&all->map, addr));
	return h && addr - h->addr < h->bytes ? h : NULL;
}

const Held *held_freed_at(const HeldMap *all, uint64_t addr) {
	const Held *h = held_of(ordered_floor(&all->freed, addr));
	return h && addr - h->addr < h->bytes ? h : NULL;
}

void held_release(HeldMap *all, Held *held) {
	enum { MOST_FREED = 4096 };
	ordered_remove(&all->map, held->addr);
	blob_drop(held->last);
	held->last = NULL;
	if (all->freed.count == MOST_FREED) forget_freed(all, held_of(ordered_first(&all->freed)));
	*ordered_at(&all->freed, held->addr) = (uintptr_t)held;
}

void held_free(HeldMap *all) {
	for (Held *h; (h = held_first(all));) held_release(all, h);
	while (all->freed.count) forget_freed(all, held_of(ordered_first(&all->freed)));
	ordered_free(&all->map);
	ordered_free(&all->freed);
}

Held *held_first(const HeldMap *all) {
	return held_of(ordered_first(&all->map));
}

Held *held_next_from(const HeldMap *all, uint64_t addr) {
	return held_of(ordered_ceiling(&all->map, addr));
}

Held *held_next(const HeldMap *all, const Held *held) {
	return held_next_from(all, held->addr + 1);
}

void held_given(HeldMap *all, const PtxFunction *kernel, const BackendLaunch *launch, bool ran) {
	ParamType types[MOST_TYPES];
	const size_t ntypes = mangled_parameters(launch->linked_name, types, MOST_TYPES);
	for (uint32_t i = 0; i < launch->nparams; i++) {
		const ParamPlace *p = &launch->places[i];
		const bool typed = ntypes == launch->nparams && types[i].kind == PARAM_POINTER && types[i].typed;
		for (uint32_t at = 0; at + sizeof(uint64_t) <= p->size; at += sizeof(uint64_t)) {
			uint64_t word;
			memcpy(&word, (const char *)launch->params + p->offset + at, sizeof word);
			Held *h = held_at(all, word);
			if (h) h->refused = ran ? NULL : kernel->name;
			if (!h || !ran) continue;
			h->kernel = kernel->name;
			h->config = launch->config;
			h->element = typed ? (uint32_t)elem_bytes(types[i].elem) : 0;
		}
	}
}

void held_say_refused(const HeldMap *all, Report *report) {
	for (uint32_t i = 0; report->nitems && i < report->items->nfindings; i++) {
		Finding *f = (Finding *)&report->items->findings[i];
		const Held *h = held_first(all);
		while (h && strcmp(h->name, f->buffer) != 0) h = held_next(all, h);
		AUTO_FREE char *name = h && h->refused ? mangled_plain(h->refused) : NULL;
		const size_t len = strlen(f->message);
		if (!name || f->check != CHECK_INIT) continue;
		snprintf(f->message + len, sizeof f->message - len,
				 " %.100s, which was given it, did not run: its launch was refused.", name);
		snprintf(f->hint, sizeof f->hint, "correct that launch first");
	}
}

Held *held_rows(const HeldMap *all, uint64_t addr, uint64_t pitch, uint64_t width, uint64_t rows) {
	Held *h = width && rows ? held_at(all, addr) : NULL;
	uint64_t before, bytes;
	if (!h || (rows > 1 && pitch < width) || __builtin_mul_overflow(rows - 1, pitch, &before)) return NULL;
	return !__builtin_add_overflow(before, width, &bytes) && bytes <= h->bytes - (addr - h->addr) ? h : NULL;
}
