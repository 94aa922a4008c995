/* The pool of an emulator's buffers against a model of it: a map with a byte for every page. */
#include "device_test.h"

#include "device/backend/pool.h"

enum { PAGE = 4096, HUGE_PAGE = 2 << 20, PAGES = 16 << 10, PIECES = 200 };

typedef struct {
	uint64_t first, bytes; /* bytes 0: none */
} Piece;

static uint8_t *pages; /* [PAGES] 1: dealt out */

static uint64_t pages_of(uint64_t bytes) {
	return (bytes + PAGE - 1) / PAGE;
}

/* The pages were all as they should be before. */
static void turn(const Piece *p, uint8_t from, uint8_t to) {
	for (uint64_t i = p->first / PAGE; i < p->first / PAGE + pages_of(p->bytes); i++) {
		assert_true(i < PAGES);
		assert_int_equal(pages[i], from);
		pages[i] = to;
	}
}

/* Every piece lies somewhere in what is free according to the map, and nothing free is missing from the pool's list. */
static void agrees(const Pool *pool) {
	uint64_t free_pages = 0, listed = 0, end = 0;
	for (uint64_t i = 0; i < PAGES; i++) free_pages += !pages[i];
	for (const OrderedEntry *e = ordered_first(&pool->free); e; e = ordered_next(&pool->free, e)) {
		assert_true(e->value > 0 && e->key % PAGE == 0 && e->value % PAGE == 0);
		assert_true(listed == 0 || e->key > end); /* no two touch */
		end = e->key + e->value;
		for (uint64_t k = e->key / PAGE; k < end / PAGE; k++) assert_int_equal(pages[k], 0);
		listed += e->value / PAGE;
	}
	assert_int_equal(listed, free_pages);
	assert_int_equal(pool->by_size.count, pool->free.count);
	assert_int_equal(pool->used, (PAGES - free_pages) * PAGE);
}

/* Is there a place for so many bytes, as a piece of them has to begin? */
static bool has_room(uint64_t bytes) {
	const uint64_t step = bytes >= HUGE_PAGE ? HUGE_PAGE / PAGE : 1, n = pages_of(bytes);
	for (uint64_t at = 0; at + n <= PAGES; at += step) {
		uint64_t k = 0;
		while (k < n && !pages[at + k]) k++;
		if (k == n) return true;
	}
	return false;
}

static uint64_t random_size(uint64_t *random) {
	static const uint64_t most[] = {16, 3 * PAGE, 64 * PAGE, 3 * HUGE_PAGE, (uint64_t)PAGES * PAGE / 4};
	return 1 + next_random(random) % most[next_random(random) % 5];
}

static void random_takes_and_gives(void **state) {
	for (uint64_t seed = 1; seed <= 5; seed++) {
		Pool pool;
		Piece pieces[PIECES] = {{0}};
		uint64_t random = seed * 88172645463325252u;
		int refused = 0, taken = 0;
		pages = calloc(PAGES, 1);
		pool_init(&pool, (uint64_t)PAGES * PAGE);
		for (int step = 0; step < 2000; step++) {
			Piece *p = &pieces[next_random(&random) % PIECES];
			if (p->bytes) {
				pool_give(&pool, p->first, p->bytes);
				turn(p, 1, 0);
				p->bytes = 0;
			} else {
				const uint64_t bytes = random_size(&random);
				const bool there = has_room(bytes);
				Piece piece = {.first = 77, .bytes = bytes};
				assert_int_equal(pool_take(&pool, bytes, &piece.first), there);
				if (!there) {
					assert_int_equal(piece.first, 77);
					refused++;
					continue;
				}
				assert_int_equal(piece.first % (bytes >= HUGE_PAGE ? HUGE_PAGE : PAGE), 0);
				turn(&piece, 0, 1);
				*p = piece;
				taken++;
			}
			if (step % 50 == 0) agrees(&pool);
		}
		assert_true(taken > 100 && refused > 10);
		for (int i = 0; i < PIECES; i++)
			if (pieces[i].bytes) pool_give(&pool, pieces[i].first, pieces[i].bytes);
		assert_int_equal(pool.used, 0);
		assert_int_equal(pool.free.count, 1); /* all of it came back, and in one piece */
		assert_int_equal(ordered_first(&pool.free)->value, (uint64_t)PAGES * PAGE);
		pool_free(&pool);
		free(pages);
	}
}

static void ends_of_it(void **state) {
	Pool pool;
	uint64_t first = 77;
	pool_init(&pool, 3 * PAGE);
	assert_false(pool_take(&pool, 0, &first));
	assert_false(pool_take(&pool, 3 * PAGE + 1, &first));
	assert_false(pool_take(&pool, UINT64_MAX, &first));
	assert_false(pool_take(&pool, UINT64_MAX - PAGE + 2, &first)); /* rounded up it would be 0 */
	assert_int_equal(first, 77);
	assert_true(pool_take(&pool, 3 * PAGE, &first));
	assert_int_equal(first, 0);
	assert_false(pool_take(&pool, 1, &first));
	pool_give(&pool, 0, 3 * PAGE);
	assert_true(pool_take(&pool, 1, &first));
	assert_int_equal(pool.used, PAGE);
	pool_free(&pool);
	pool_init(&pool, 0);
	assert_false(pool_take(&pool, 1, &first));
	pool_free(&pool);
}

/* What people read where there is no more: what was asked for, what is in use, and what to do. */
static void exhaustion_is_reported(void **state) {
	Device *d = open_device("emu");
	Err err = ERR_INIT;
	Buffer small = make_buffer(d, ELEM_U8, 1000, "small", (Define){.kind = DEFINE_SENTINEL}), large;
	const size_t memory = device_info(d)->memory_bytes;
	assert_false(device_buffer(d, ELEM_U8, memory, "large", (Define){.kind = DEFINE_SENTINEL}, &large, &err));
	assert_int_equal(err.kind, ERR_SETUP);
	assert_text(err.what, "no memory for large");
	assert_text(err.what, "4096 in use");
	assert_text(err.hint, "free buffers");
	assert_true(device_free(d, small, NULL));
	assert_false(device_buffer(d, ELEM_U8, memory, "large", (Define){.kind = DEFINE_SENTINEL}, &large, &err));
	assert_text(err.what, " 0 in use");
	make_buffer(d, ELEM_U8, 1000, "small", (Define){.kind = DEFINE_SENTINEL}); /* and the device works on */
	device_close(d);
}

int main(int argc, char **argv) {
	int status = maybe_worker(argc, argv);
	if (status >= 0) return status;
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_takes_and_gives),
		cmocka_unit_test(ends_of_it),
		cmocka_unit_test(exhaustion_is_reported),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
