/* runtime.h: host code that uses memory before it waits for what was to be done there. Managed memory that a kernel was
 * given, and pinned memory that an asynchronous copy uses, is protected until the program waits for anything; a fault
 * there is reported, and the access goes on. What a kernel left as it was may be read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/arena.h"
#include "base/proc.h"
#include "base/vec.h"
#include "exec/runtime/runtime.h"

enum { MOST_LAUNCHES = 64 };

typedef struct {
	uint64_t addr, bytes;
	const char *view; /* where gpulab has it mapped */
	char *before;     /* during a launch: what it held */
	char what[128];
} Early;

static VEC(Early) early;

static bool early_fault(uint64_t addr, const void *code, bool writes);

static bool matters(void) {
	return facts()->early && !facts()->streams && host_access_watches(early_fault);
}

static void *start(const Early *e) {
	return (void *)(uintptr_t)e->addr; /* NOLINT(performance-no-int-to-ptr) */
}

static void protect(const Early *e, int how) {
	mprotect(start(e), pages_up(e->bytes), how);
}

static bool is_known(const Block *b) {
	for (size_t i = 0; i < early.len; i++)
		if (early.data[i].addr == b->addr) return true;
	return false;
}

static Early of_block(const Block *b, const char *what) {
	Early e = {.addr = b->addr, .bytes = b->bytes, .view = b->view};
	snprintf(e.what, sizeof e.what, "%s", what);
	return e;
}

static bool is_new(const Block *b, BlockKind kind) {
	return b && b->kind == kind && !is_known(b) && early.len < MOST_LAUNCHES;
}

void early_copy(const Block *to, const Block *from) {
	if (!matters()) return;
	for (int i = 0; i < 2; i++) {
		const Block *b = i ? from : to;
		if (!is_new(b, BLOCK_HOST)) continue;
		vec_push(&early, of_block(b, "an asynchronous copy"));
		protect(&vec_last(&early), i ? PROT_READ : PROT_NONE);
	}
}

void early_launch_begin(const char *kernel, const Block *const *blocks, size_t n) {
	if (!matters()) return;
	for (size_t i = 0; i < n; i++) {
		if (!is_new(blocks[i], BLOCK_MANAGED)) continue;
		Early e = of_block(blocks[i], kernel);
		e.before = memcpy(xmalloc(e.bytes), e.view, e.bytes);
		vec_push(&early, e);
	}
}

void early_launch_end(bool ran) {
	size_t kept = 0;
	for (size_t i = 0; i < early.len; i++) {
		Early e = early.data[i];
		const bool begun = e.before;
		if (begun && ran) protect(&e, memcmp(e.view, e.before, e.bytes) == 0 ? PROT_READ : PROT_NONE);
		free(e.before);
		e.before = NULL;
		if (!begun || ran) early.data[kept++] = e;
	}
	early.len = kept;
}

void early_end(void) {
	for (size_t i = 0; i < early.len; i++) protect(&early.data[i], PROT_READ | PROT_WRITE);
	early.len = 0;
}

/* In a signal handler. The runtime touches such memory where gpulab has mapped it, so the lock is another thread's. */
static bool early_fault(uint64_t addr, const void *code, bool writes) {
	Number places[EXEC_MOST_PLACES];
	for (size_t i = 0; i < early.len; i++) {
		const Early e = early.data[i];
		if (addr < e.addr || addr - e.addr >= pages_up(e.bytes)) continue;
		protect(&e, PROT_READ | PROT_WRITE);
		if (is_forked() || !try_lock()) return true;
		const ExecEarly found = {.by = place_of_fault(code, places), .addr = addr, .writes = writes, .what = e.what};
		ask(EXEC_early, &found, NULL);
		unlock();
		return true;
	}
	return false;
}
