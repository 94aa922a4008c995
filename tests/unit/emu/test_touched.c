/* Which bytes a launch touched: as a byte-wise count says, whatever the widths, masks and threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "emu/count/touched.h"

enum { BYTES = 1 << 15, ACCESSES = 3000 };
#define FIRST UINT64_C(0x7f0000000f00)

static uint64_t random_state = 9;

static uint32_t any(uint32_t below) {
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % below;
}

static void note(uint8_t *kinds, const Access *a) {
	const uint8_t kind = (const uint8_t[]){TOUCHED_READ, TOUCHED_WRITTEN, TOUCHED_ATOMIC}[a->kind];
	FOR_LANES(l, a->mask)
		for (uint32_t i = 0; i < a->width; i++) kinds[a->addr[l] - FIRST + i] |= kind;
}

/* Rows, one word for all, and words anywhere. */
static void some_access(Observer *observer, uint8_t *kinds) {
	uint64_t addr[LANES];
	const uint32_t width = 1u << any(5), form = any(3), first = any(BYTES - 1024) / width * width;
	for (uint32_t l = 0; l < LANES; l++) {
		const uint32_t anywhere = any(BYTES - 1024) / width * width;
		addr[l] = FIRST + (form == 0 ? first + l * width : form == 1 ? first : anywhere);
	}
	const Access a = {.kind = (AccessKind)any(3),
					  .space = any(8) ? SPACE_GLOBAL : SPACE_SHARED,
					  .width = width,
					  .mask = any(2) ? UINT32_MAX : 1 + any(UINT32_MAX - 1),
					  .addr = addr};
	observer->ops->access(observer, &a);
	if (a.space == SPACE_GLOBAL) note(kinds, &a);
}

static void every_byte_is_in_one_piece(void **unused) {
	static uint8_t kinds[BYTES];
	TouchedObserver *one = touched_new();
	Observer *fork = touched_base(one)->ops->fork(touched_base(one));
	uint32_t n;
	(void)unused;
	for (uint32_t i = 0; i < ACCESSES / 100; i++) some_access(i % 2 ? fork : touched_base(one), kinds);
	touched_base(one)->ops->join(touched_base(one), fork);
	Touched *pieces = touched_of(one, &n);
	uint64_t at = 0;
	assert_true(n > 100);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t first = pieces[i].addr - FIRST;
		assert_true(first >= at && pieces[i].bytes);
		for (; at < first; at++) assert_int_equal(kinds[at], 0);
		for (; at < first + pieces[i].bytes; at++) assert_int_equal(kinds[at], pieces[i].kinds);
		assert_true(!i || pieces[i].kinds != pieces[i - 1].kinds ||
					first > pieces[i - 1].addr + pieces[i - 1].bytes - FIRST);
	}
	for (; at < BYTES; at++) assert_int_equal(kinds[at], 0);
	free(pieces);
	touched_free(one);
}

static void too_many_pieces_are_none(void **unused) {
	TouchedObserver *one = touched_new();
	uint64_t addr[LANES];
	uint32_t n;
	(void)unused;
	for (uint64_t first = 0; first <= MOST_TOUCHED; first += LANES) {
		for (uint32_t l = 0; l < LANES; l++) addr[l] = FIRST + 8 * (first + l);
		const Access a = {.space = SPACE_GLOBAL, .width = 4, .mask = UINT32_MAX, .addr = addr};
		touched_base(one)->ops->access(touched_base(one), &a);
	}
	assert_null(touched_of(one, &n));
	assert_int_equal(n, 0);
	touched_free(one);
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_byte_is_in_one_piece),
									   cmocka_unit_test(too_many_pieces_are_none)};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
