/* clock.h: the trie. */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/arena.h"
#include "emu/check/clock.h"

struct Clock {
	uint32_t refs;
	uint32_t time; /* leaf */
	uint64_t key;  /* leaf: the key; branch: the bits above its own, the others 0 */
	uint64_t bit;  /* branch: where its sides differ; leaf: 0 */
	Clock *side[2];
};

static _Thread_local ptrdiff_t nodes; /* below 0: those of a fork that ran on another thread were dropped on this one */

size_t clock_bytes(void) {
	return nodes > 0 ? (size_t)nodes * sizeof(Clock) : 0;
}

static Clock *node(uint64_t key) {
	nodes++;
	Clock *c = xcalloc(1, sizeof *c);
	c->refs = 1;
	c->key = key;
	return c;
}

static Clock *leaf(uint64_t key, uint32_t time) {
	assert(time);
	Clock *c = node(key);
	c->time = time;
	return c;
}

static Clock *branch(uint64_t prefix, uint64_t bit, Clock *zero, Clock *one) {
	assert(bit && !(bit & (bit - 1)) && !(prefix & (bit | (bit - 1))));
	assert(zero && one && !(zero->key & bit) && one->key & bit);
	Clock *c = node(prefix);
	c->bit = bit;
	c->side[0] = zero;
	c->side[1] = one;
	return c;
}

Clock *clock_keep(Clock *c) {
	assert(!c || c->refs);
	if (c) c->refs++;
	return c;
}

void clock_drop(Clock *c) {
	while (c && !--c->refs) {
		Clock *rest = c->side[1];
		clock_drop(c->side[0]); /* at most 64 deep: each level has a lower bit */
		nodes--;
		free(c);
		c = rest;
	}
}

/* The bits of key above `bit`. */
static uint64_t above(uint64_t key, uint64_t bit) {
	return key & ~(bit | (bit - 1));
}

static bool holds(const Clock *branch_, uint64_t key) {
	return above(key, branch_->bit) == branch_->key;
}

uint32_t clock_get(const Clock *c, uint64_t key) {
	while (c && c->bit) {
		if (!holds(c, key)) return 0;
		c = c->side[(key & c->bit) != 0];
	}
	return c && c->key == key ? c->time : 0;
}

/* Two tries whose keys differ. */
static Clock *beside(Clock *a, Clock *b) {
	const uint64_t differ = a->key ^ b->key;
	assert(differ);
	const uint64_t bit = UINT64_C(1) << (63 - __builtin_clzll(differ));
	const bool one = (a->key & bit) != 0;
	return branch(above(a->key, bit), bit, one ? b : a, one ? a : b);
}

/* c with its side s replaced; takes over both references. */
static Clock *with_side(Clock *c, unsigned s, Clock *to) {
	if (to == c->side[s]) {
		clock_drop(to);
		return c;
	}
	Clock *other = clock_keep(c->side[!s]);
	Clock *made = s ? branch(c->key, c->bit, other, to) : branch(c->key, c->bit, to, other);
	clock_drop(c);
	return made;
}

Clock *clock_set(Clock *c, uint64_t key, uint32_t time) {
	if (!time) return c;
	if (!c) return leaf(key, time);
	if (!c->bit && c->key == key) {
		if (c->time >= time) return c;
		clock_drop(c);
		return leaf(key, time);
	}
	if (!c->bit || !holds(c, key)) return beside(c, leaf(key, time));
	const unsigned s = (key & c->bit) != 0;
	return with_side(c, s, clock_set(clock_keep(c->side[s]), key, time));
}

Clock *clock_join(Clock *a, Clock *b) {
	if (!b || a == b) {
		clock_drop(a == b ? b : NULL);
		return a;
	}
	if (!a) return b;
	if (!b->bit) {
		Clock *joined = clock_set(a, b->key, b->time);
		clock_drop(b);
		return joined;
	}
	if (!a->bit || a->bit < b->bit) {
		Clock *swap = a;
		a = b;
		b = swap;
		if (!b->bit) return clock_join(a, b);
	}
	if (a->bit == b->bit && a->key == b->key) {
		Clock *zero = clock_join(clock_keep(a->side[0]), clock_keep(b->side[0]));
		Clock *joined = with_side(a, 0, zero);
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): it does not follow the counts that keep the nodes alive */
		joined = with_side(joined, 1, clock_join(clock_keep(joined->side[1]), clock_keep(b->side[1])));
		clock_drop(b);
		return joined;
	}
	if (a->bit == b->bit || !holds(a, b->key)) return beside(a, b);
	const unsigned s = (b->key & a->bit) != 0;
	return with_side(a, s, clock_join(clock_keep(a->side[s]), b));
}
