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
	Clock *c = xmalloc(sizeof *c);
	*c = (Clock){.refs = 1, .key = key};
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

/* The side s of c, for a join that makes what replaces it: taken out of c where nothing else refers to c, so that the
 * join can change its nodes where they are. */
static Clock *lend(Clock *c, unsigned s) {
	Clock *side = c->side[s];
	if (c->refs > 1) return clock_keep(side);
	c->side[s] = NULL;
	return side;
}

/* Takes over all references, those to the sides from joins of what a and b lent. */
static Clock *merged(Clock *a, Clock *b, Clock *zero, Clock *one) {
	Clock *into = zero == a->side[0] && one == a->side[1] ? a : zero == b->side[0] && one == b->side[1] ? b : NULL;
	if (into) {
		clock_drop(zero);
		clock_drop(one);
	} else if (!a->side[0] || !b->side[0]) { /* it lent what only it refers to */
		into = a->side[0] ? b : a;
		into->side[0] = zero;
		into->side[1] = one;
	} else {
		into = branch(a->key, a->bit, zero, one);
		clock_drop(a);
	}
	clock_drop(into == b ? a : b);
	return into;
}

/* c with what it lent as its side s replaced. */
static Clock *with_side(Clock *c, unsigned s, Clock *to) {
	if (!c->side[s]) {
		c->side[s] = to;
		return c;
	}
	if (to == c->side[s]) {
		clock_drop(to);
		return c;
	}
	Clock *other = clock_keep(c->side[!s]);
	Clock *made = s ? branch(c->key, c->bit, other, to) : branch(c->key, c->bit, to, other);
	clock_drop(c);
	return made;
}

static Clock *later(Clock *a, Clock *b) {
	const bool second = b->time > a->time;
	clock_drop(second ? a : b);
	return second ? b : a;
}

Clock *clock_set(Clock *c, uint64_t key, uint32_t time) {
	return time ? clock_join(c, leaf(key, time)) : c;
}

Clock *clock_join(Clock *a, Clock *b) {
	if (!a || !b) return a ? a : b;
	if (a == b) {
		clock_drop(b);
		return a;
	}
	if (a->bit < b->bit) {
		Clock *swap = a;
		a = b;
		b = swap;
	}
	if (a->bit == b->bit && a->key == b->key) {
		if (!a->bit) return later(a, b);
		Clock *zero = clock_join(lend(a, 0), lend(b, 0));
		return merged(a, b, zero, clock_join(lend(a, 1), lend(b, 1)));
	}
	if (a->bit == b->bit || !holds(a, b->key)) return beside(a, b);
	const unsigned s = (b->key & a->bit) != 0;
	return with_side(a, s, clock_join(lend(a, s), b));
}
