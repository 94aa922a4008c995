/* pool.h: first fit in a sorted list. There are a few dozen buffers at a time, and they are large. */
#include "device/backend/pool.h"

#include <string.h>

enum { SMALL_ALIGN = 4096, LARGE_ALIGN = 2 << 20 };

static uint64_t align_up(uint64_t x, uint64_t to) {
	return (x + to - 1) & ~(to - 1);
}

static uint64_t alignment(uint64_t bytes) {
	return bytes >= LARGE_ALIGN ? LARGE_ALIGN : SMALL_ALIGN;
}

uint64_t pool_room(uint64_t bytes) {
	return align_up(bytes, SMALL_ALIGN);
}

void pool_init(Pool *pool, uint64_t bytes) {
	*pool = (Pool){.bytes = bytes};
	vec_push(&pool->free, (Extent){0, bytes});
}

void pool_free(Pool *pool) {
	vec_free(&pool->free);
	*pool = (Pool){0};
}

static void insert(Pool *pool, size_t at, Extent e) {
	if (!e.bytes) return;
	vec_push(&pool->free, e);
	memmove(&pool->free.data[at + 1], &pool->free.data[at], (pool->free.len - 1 - at) * sizeof e);
	pool->free.data[at] = e;
}

static void erase(Pool *pool, size_t at) {
	memmove(&pool->free.data[at], &pool->free.data[at + 1], (pool->free.len - 1 - at) * sizeof(Extent));
	pool->free.len--;
}

bool pool_take(Pool *pool, uint64_t bytes, uint64_t *first) {
	if (!bytes || bytes > pool->bytes) return false;
	const uint64_t room = pool_room(bytes);
	for (size_t i = 0; i < pool->free.len; i++) {
		const Extent hole = pool->free.data[i];
		const uint64_t begin = align_up(hole.first, alignment(bytes)), before = begin - hole.first;
		if (before > hole.bytes || room > hole.bytes - before) continue;
		erase(pool, i);
		insert(pool, i, (Extent){begin + room, hole.bytes - before - room});
		insert(pool, i, (Extent){hole.first, before});
		pool->used += room;
		*first = begin;
		return true;
	}
	return false;
}

void pool_give(Pool *pool, uint64_t first, uint64_t bytes) {
	Extent e = {first, pool_room(bytes)};
	size_t at = 0;
	pool->used -= e.bytes;
	while (at < pool->free.len && pool->free.data[at].first < first) at++;
	if (at < pool->free.len && pool->free.data[at].first == e.first + e.bytes) {
		e.bytes += pool->free.data[at].bytes;
		erase(pool, at);
	}
	if (at > 0 && pool->free.data[at - 1].first + pool->free.data[at - 1].bytes == e.first) {
		pool->free.data[at - 1].bytes += e.bytes;
		return;
	}
	insert(pool, at, e);
}
