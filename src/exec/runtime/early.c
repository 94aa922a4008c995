/* runtime.h: host code that uses memory before it waits for what was to be done there. Pages of managed and pinned
 * memory that a kernel or an asynchronous copy uses are protected until the program has waited for that. An access
 * there is reported if it meets one of its bytes. Others go on: one instruction each, if the page can be protected
 * again then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/proc.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

enum { MOST_USES = 64, MOST_STEPS = 20000 };

typedef struct {
	uint64_t stream, number; /* of the operation */
	char what[128];
	Touched *pieces; /* [n] by address */
	size_t n;
} Use;

static VEC(Use) uses;
static unsigned steps;
static __thread uint64_t opened; /* the page that is open for one instruction; 0: none */

static HostFaultEnd early_fault(uint64_t addr, const void *code, bool writes);

static void *at(uint64_t addr) {
	return (void *)(uintptr_t)addr; /* NOLINT(performance-no-int-to-ptr) */
}

static uint64_t page_of(uint64_t addr) {
	return addr / page_bytes() * page_bytes();
}

static bool is_written(const Touched *t) {
	return t->kinds & (TOUCHED_WRITTEN | TOUCHED_ATOMIC);
}

static bool conflicts(const Touched *t, bool writes) {
	return is_written(t) || (writes && t->kinds);
}

/* --- protection --------------------------------------------------------------------------------------------------- */

/* The pages of its pieces, of one kind, that are in the range. */
static void protect_use(const Use *u, bool written, uint64_t first, uint64_t end) {
	uint64_t done = first;
	for (size_t i = 0; i < u->n; i++) {
		const Touched *t = &u->pieces[i];
		const uint64_t from = page_of(t->addr) > done ? page_of(t->addr) : done, behind = pages_up(t->addr + t->bytes),
					   to = behind < end ? behind : end;
		if (!t->kinds || is_written(t) != written || from >= to) continue;
		mprotect(at(from), to - from, written ? PROT_NONE : PROT_READ);
		done = to;
	}
}

static void protect(uint64_t first, uint64_t end) {
	for (int written = 0; written < 2; written++)
		for (size_t i = 0; i < uses.len; i++) protect_use(&uses.data[i], written, first, end);
}

static void step_done(void) {
	if (opened && !is_forked() && try_lock()) {
		protect(opened, opened + page_bytes());
		unlock();
	}
	opened = 0;
}

static void unprotect(const Use *u) {
	for (size_t i = 0; i < u->n; i++) {
		const Touched *t = &u->pieces[i];
		mprotect(at(page_of(t->addr)), pages_up(t->addr + t->bytes) - page_of(t->addr), PROT_READ | PROT_WRITE);
	}
}

/* --- uses --------------------------------------------------------------------------------------------------------- */

static void drop(size_t i) {
	free(uses.data[i].pieces);
	uses.data[i] = vec_last(&uses);
	uses.len--;
}

static void end_uses(bool all) {
	const size_t before = uses.len;
	for (size_t i = uses.len; i-- > 0;) {
		if (!all && !order_is_past(uses.data[i].stream, uses.data[i].number)) continue;
		unprotect(&uses.data[i]);
		drop(i);
	}
	if (uses.len && uses.len < before) protect(0, UINT64_MAX);
}

bool early_matters(void) {
	return facts()->early && !facts()->streams && uses.len < MOST_USES && host_access_watches(early_fault, step_done);
}

static int by_address(const void *a, const void *b) {
	const Touched *x = a, *y = b;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

void early_use(const char *what, const Touched *pieces, size_t n) {
	Use u = {.n = 0};
	bool sorted = true;
	if (!n || !early_matters()) return;
	u.pieces = xcalloc(n, sizeof *u.pieces);
	for (size_t i = 0; i < n; i++) {
		Touched t = pieces[i];
		t.addr = managed_copy(t.addr);
		const Block *b = block_at(t.addr);
		if (!b || b->own || (b->kind != BLOCK_MANAGED && b->kind != BLOCK_HOST)) continue;
		sorted &= !u.n || u.pieces[u.n - 1].addr < t.addr;
		u.pieces[u.n++] = t;
	}
	if (!sorted) qsort(u.pieces, u.n, sizeof *u.pieces, by_address);
	snprintf(u.what, sizeof u.what, "%s", what);
	order_latest(&u.stream, &u.number);
	vec_push(&uses, u);
	protect(0, UINT64_MAX);
	order_after_wait(end_uses);
}

void early_launch(const char *kernel, const Touched *pieces, size_t n) {
	uint64_t stream, number;
	early_use(kernel, pieces, n);
	if (facts()->gpu->generation->cooperative || !early_matters()) return;
	order_latest(&stream, &number);
	Touched *all = blocks_managed(stream, &n);
	early_use(kernel, all, n);
	free(all);
}

/* --- faults ------------------------------------------------------------------------------------------------------- */

static Use *use_of(uint64_t addr, bool writes) {
	for (size_t i = 0; i < uses.len; i++) {
		const Use *u = &uses.data[i];
		size_t from = 0, end = u->n;
		while (from < end) {
			const size_t middle = (from + end) / 2;
			if (u->pieces[middle].addr + u->pieces[middle].bytes <= addr)
				from = middle + 1;
			else
				end = middle;
		}
		if (from < u->n && u->pieces[from].addr <= addr && conflicts(&u->pieces[from], writes)) return &uses.data[i];
	}
	return NULL;
}

/* One report for each allocation and use. */
static void forget(Use *u, const Block *b) {
	for (size_t i = 0; i < u->n; i++)
		if (u->pieces[i].addr - b->addr < b->bytes) u->pieces[i].kinds = 0;
	mprotect(at(b->addr), pages_up(b->bytes), PROT_READ | PROT_WRITE);
	protect(b->addr, b->addr + pages_up(b->bytes));
}

static HostFaultEnd report(Use *u, const Block *b, uint64_t addr, const void *code, bool writes) {
	Number places[EXEC_MOST_PLACES];
	const ExecEarly found = {.by = place_of_fault(code, places), .addr = addr, .writes = writes, .what = u->what};
	forget(u, b);
	ask(EXEC_early, &found, NULL);
	return GOES_ON;
}

/* In a signal handler. The runtime touches such memory where gpulab has mapped it, so the lock is another thread's. */
static HostFaultEnd early_fault(uint64_t addr, const void *code, bool writes) {
	const uint64_t page = page_of(addr);
	if (!uses.len || addr < EXEC_MANAGED || addr >= EXEC_GRAPHS || lock_is_mine()) return NOT_WATCHED;
	const bool locked = !is_forked() && try_lock();
	const Block *b = locked ? block_at(addr) : NULL;
	Use *u = b ? use_of(addr, writes) : NULL;
	HostFaultEnd end = u ? report(u, b, addr, code, writes) : GOES_ON;
	if (mprotect(at(page), page_bytes(), PROT_READ | PROT_WRITE) < 0) end = NOT_WATCHED;
	if (u) protect(page, page + page_bytes());
	if (locked) unlock();
	if (u || !locked || end == NOT_WATCHED || steps == MOST_STEPS) return end;
	steps++;
	opened = page;
	return GOES_ON_ONCE;
}
