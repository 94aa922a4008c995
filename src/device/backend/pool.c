/* pool.h: best fit. Free extents are in two orders: by where they begin, so that neighbors join, and by their size, so
 * that a piece is found without a look at each. */
#include "device/backend/pool.h"

#include "base/proc.h"

enum { LARGE_ALIGN = 2 << 20, NUMBER_BITS = 32 };

/* Programs map pieces at addresses of their own. */
static uint64_t small_align(void) {
	return page_bytes();
}

static uint64_t align_up(uint64_t x, uint64_t to) {
	return (x + to - 1) & ~(to - 1);
}

static uint64_t alignment(uint64_t bytes) {
	return bytes >= LARGE_ALIGN ? LARGE_ALIGN : small_align();
}

uint64_t pool_room(uint64_t bytes) {
	return align_up(bytes, small_align());
}

/* Size and beginning, both in pages. */
static uint64_t size_key(Extent e) {
	return e.bytes / small_align() << NUMBER_BITS | e.first / small_align();
}

static Extent extent_of(uint64_t size_key) {
	return (Extent){(size_key & UINT32_MAX) * small_align(), (size_key >> NUMBER_BITS) * small_align()};
}

static void put(Pool *pool, Extent e) {
	if (!e.bytes) return;
	*ordered_at(&pool->free, e.first) = e.bytes;
	ordered_at(&pool->by_size, size_key(e));
}

static void remove_extent(Pool *pool, Extent e) {
	ordered_remove(&pool->free, e.first);
	ordered_remove(&pool->by_size, size_key(e));
}

void pool_init(Pool *pool, uint64_t bytes) {
	*pool = (Pool){.bytes = bytes};
	put(pool, (Extent){0, bytes / small_align() * small_align()});
}

void pool_free(Pool *pool) {
	ordered_free(&pool->free);
	ordered_free(&pool->by_size);
	*pool = (Pool){0};
}

/* Where a piece can begin in it; false: nowhere. */
static bool fits(Extent hole, uint64_t bytes, uint64_t *begin) {
	*begin = align_up(hole.first, alignment(bytes));
	const uint64_t before = *begin - hole.first;
	return before <= hole.bytes && pool_room(bytes) <= hole.bytes - before;
}

/* The smallest that a piece fits in wherever it begins; else one that is smaller and happens to begin well. */
static bool find(const Pool *pool, uint64_t bytes, Extent *hole, uint64_t *begin) {
	const uint64_t slack = alignment(bytes) - small_align(), room = pool_room(bytes);
	const OrderedEntry *e = ordered_ceiling(&pool->by_size, size_key((Extent){0, room + slack}));
	if (!e) e = ordered_ceiling(&pool->by_size, size_key((Extent){0, room}));
	for (; e; e = ordered_next(&pool->by_size, e)) {
		*hole = extent_of(e->key);
		if (fits(*hole, bytes, begin)) return true;
	}
	return false;
}

bool pool_take(Pool *pool, uint64_t bytes, uint64_t *first) {
	Extent hole;
	uint64_t begin;
	if (!bytes || bytes > pool->bytes || !find(pool, bytes, &hole, &begin)) return false;
	const uint64_t room = pool_room(bytes), before = begin - hole.first;
	remove_extent(pool, hole);
	put(pool, (Extent){hole.first, before});
	put(pool, (Extent){begin + room, hole.bytes - before - room});
	pool->used += room;
	*first = begin;
	return true;
}

/* NULL is allowed. */
static Extent joined(Pool *pool, Extent e, const OrderedEntry *neighbor) {
	if (!neighbor) return e;
	const Extent other = {neighbor->key, neighbor->value};
	if (other.first + other.bytes != e.first && e.first + e.bytes != other.first) return e;
	remove_extent(pool, other);
	return (Extent){other.first < e.first ? other.first : e.first, e.bytes + other.bytes};
}

void pool_give(Pool *pool, uint64_t first, uint64_t bytes) {
	Extent e = {first, pool_room(bytes)};
	pool->used -= e.bytes;
	e = joined(pool, e, ordered_floor(&pool->free, first));
	put(pool, joined(pool, e, ordered_ceiling(&pool->free, first)));
}
