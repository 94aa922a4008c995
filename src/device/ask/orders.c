#include "device/ask/orders.h"

#include <string.h>

unsigned order_checks(unsigned checks) {
	return checks & ~(unsigned)CHECK_UNUSED;
}

static bool shows_something(const Report *r) {
	for (uint32_t i = 0; i < r->nitems; i++)
		if (r->items[i].nfindings) return true;
	return r->outcome.status != LAUNCH_OK;
}

bool orders_check(const OrderSearch *search, Report *ordinary, Report *found, uint32_t *order, Err *err) {
	*order = 0;
	for (uint32_t seed = search->first; seed <= search->last && !*order; seed++) {
		*found = (Report){0};
		if (!search->run(search->user, seed, true, found, err)) return false;
		if (shows_something(found)) *order = seed;
	}
	if (*order && found->outcome.status == LAUNCH_INTERRUPTED) {
		*ordinary = *found;
		*order = 0;
		return true;
	}
	if (!search->run(search->user, 0, false, ordinary, err)) return false;
	if (shows_something(ordinary)) *order = 0;
	return true;
}

static bool differs(const Report *a, const Report *b) {
	return a->outcome.status != b->outcome.status || memcmp(a->left, b->left, sizeof a->left) != 0;
}

bool orders_compare(const OrderSearch *search, Report *found, uint32_t *order, Err *err) {
	Report ordinary = {0};
	*order = 0;
	if (!search->run(search->user, 0, true, &ordinary, err)) return false;
	for (uint32_t seed = search->first; seed <= search->last && !*order; seed++) {
		*found = (Report){0};
		if (!search->run(search->user, seed, true, found, err)) return false;
		if (differs(&ordinary, found)) *order = seed;
	}
	if (!*order) *found = ordinary;
	return true;
}
