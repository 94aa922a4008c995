/* earlier.h. By whole allocations: part of one counts as all of it, until all of it is written by a copy or a fill, or
 * it is freed. */
#include "exec/earlier.h"

#include <string.h>

#include "base/arena.h"

void past_free(Past *past) {
	vec_free(&past->ordered);
	vec_free(&past->shapes);
}

static bool is_ordered(const Past *past, uint64_t addr, uint64_t bytes) {
	for (size_t i = 0; i < past->ordered.len; i++) {
		const ByteRange *r = &past->ordered.data[i];
		if (addr - r->addr < r->bytes || r->addr - addr < bytes) return true;
	}
	return false;
}

/* The program sees managed and pinned memory without a copy. */
static bool is_shared(uint64_t addr) {
	return addr >= EXEC_MANAGED && addr < EXEC_DEVICE_END;
}

static void add(Past *past, ByteRange range) {
	past->host |= is_shared(range.addr);
	if (!is_ordered(past, range.addr, 1)) vec_push(&past->ordered, range);
}

void past_released(Past *past, uint64_t addr) {
	for (size_t i = 0; i < past->ordered.len; i++)
		if (past->ordered.data[i].addr == addr) past->ordered.data[i--] = past->ordered.data[--past->ordered.len];
}

void past_copied(Past *past, const ExecCopied *c) {
	const bool by_host = !c->fill && (!c->from || is_shared(c->from));
	const bool ordered = (by_host && past->host) || (c->from && is_ordered(past, c->from, c->bytes));
	if (!c->to)
		past->host |= ordered;
	else if (ordered)
		add(past, (ByteRange){c->block, c->block_bytes});
	else if (c->to == c->block && c->bytes == c->block_bytes)
		past_released(past, c->block);
}

/* Whether the kernel was launched in another shape before. */
static bool changes_shape(Past *past, const PtxFunction *kernel, const LaunchConfig *config) {
	FirstShape shape = {.kernel = kernel};
	memcpy(shape.grid, config->grid, sizeof shape.grid);
	memcpy(shape.block, config->block, sizeof shape.block);
	for (size_t i = 0; i < past->shapes.len; i++)
		if (past->shapes.data[i].kernel == kernel) return memcmp(&past->shapes.data[i], &shape, sizeof shape) != 0;
	vec_push(&past->shapes, shape);
	return false;
}

void past_launched(Past *past, const PtxFunction *kernel, const LaunchConfig *config, ItemAnswer *answer,
				   Arena *arena) {
	const bool chosen = changes_shape(past, kernel, config) && past->host;
	const Dependence one = {.cause = ORDER_HOST, .counters = counters_not_zero(&answer->total)};
	if (chosen && one.counters) {
		Dependence *all = arena_array(arena, ORDER_CAUSES, sizeof *all);
		if (answer->ndependences) memcpy(all, answer->dependences, answer->ndependences * sizeof *all);
		answer->ndependences = (uint32_t)dependences_merge(all, answer->ndependences, &one, 1);
		answer->dependences = all;
	}
	for (uint32_t i = 0; i < answer->nordered; i++) add(past, answer->ordered[i]);
}
