#include "exec/unordered.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { MOST_PIECES = 8 << 20 /* beyond, the oldest use is forgotten */ };

static void forget(Unordered *u, size_t at) {
	StreamUse *use = &u->uses.data[at];
	u->pieces -= use->n;
	free(use->what);
	free(use->touched);
	memmove(use, use + 1, (u->uses.len - at - 1) * sizeof *use);
	u->uses.len--;
}

/* What the program has waited for is before all that it asks for from then on. */
static void forget_waited_for(Unordered *u, const ExecOperation *o) {
	for (size_t i = u->uses.len; i-- > 0;) {
		const StreamUse *use = &u->uses.data[i];
		if (use->stream < o->nwaited && use->number <= o->waited[use->stream].value) forget(u, i);
	}
	while (u->uses.len && u->pieces > MOST_PIECES) forget(u, 0);
}

void unordered_begin(Unordered *u, const ExecOperation *o) {
	u->stream = o->stream;
	u->number = o->number;
	u->before.len = 0;
	for (uint32_t i = 0; i < o->nbefore; i++) vec_push(&u->before, o->before[i].value);
	forget_waited_for(u, o);
}

bool unordered_active(const Unordered *u) {
	return u->number != 0;
}

static bool is_before(const Unordered *u, const StreamUse *use) {
	return use->stream == u->stream || (use->stream < u->before.len && use->number <= u->before.data[use->stream]);
}

static bool conflict(uint32_t a, uint32_t b) {
	const uint32_t changes = TOUCHED_WRITTEN | TOUCHED_ATOMIC;
	return ((a | b) & changes) && !(a == TOUCHED_ATOMIC && b == TOUCHED_ATOMIC);
}

/* Both lists ascend, and none of their pieces overlap. */
static bool meet(const Touched *a, size_t n, const StreamUse *with, Conflict *out) {
	const Touched *b = with->touched;
	for (size_t i = 0, k = 0; i < n && k < with->n;) {
		const uint64_t first = a[i].addr > b[k].addr ? a[i].addr : b[k].addr;
		const uint64_t a_end = a[i].addr + a[i].bytes, b_end = b[k].addr + b[k].bytes;
		if (first < a_end && first < b_end && conflict(a[i].kinds, b[k].kinds)) {
			*out = (Conflict){first, with, a[i].kinds != TOUCHED_READ, b[k].kinds != TOUCHED_READ};
			return true;
		}
		if (a_end < b_end)
			i++;
		else
			k++;
	}
	return false;
}

bool unordered_touch(Unordered *u, const char *what, const Touched *touched, size_t n, Conflict *out) {
	if (!unordered_active(u) || !n) return false;
	StreamUse use = {u->stream, u->number, xstrdup(what), xmalloc(n * sizeof *touched), n};
	memcpy(use.touched, touched, n * sizeof *touched);
	vec_push(&u->uses, use);
	u->pieces += n;
	for (size_t i = u->uses.len - 1; i-- > 0;)
		if (!is_before(u, &u->uses.data[i]) && meet(touched, n, &u->uses.data[i], out)) return true;
	return false;
}

static void name_stream(uint64_t id, char *out, size_t size) {
	if (id < EXEC_FIRST_STREAM)
		snprintf(out, size, id == EXEC_HOST_STREAM ? "host code" : "the default stream");
	else
		snprintf(out, size, "stream %" PRIu64, id - EXEC_FIRST_STREAM + 1);
}

Finding unordered_finding(const Unordered *u, const char *what, const Conflict *c, const char *place) {
	char here[40], there[40];
	Finding f = {.check = CHECK_RACE, .space = "global", .count = 1};
	name_stream(u->stream, here, sizeof here);
	name_stream(c->with->stream, there, sizeof there);
	snprintf(f.message, sizeof f.message,
			 "%.160s in %s and %.160s in %s access the same memory%s%s. %s, and nothing orders the two.", c->with->what,
			 there, what, here, *place ? ", from " : "", place,
			 !c->writes       ? "The second writes it"
			 : !c->now_writes ? "The first writes it"
							  : "Both write it");
	snprintf(f.hint, sizeof f.hint,
			 u->stream == EXEC_HOST_STREAM
				 ? "free it in the stream that uses it (cudaFreeAsync), or wait first: cudaFree waits for nothing if "
				   "memory is of cudaMallocAsync"
				 : "record an event after the first and let the other stream wait for it (cudaStreamWaitEvent), or use "
				   "one stream");
	return f;
}

void unordered_released(Unordered *u, uint64_t addr, uint64_t bytes) {
	for (size_t i = 0; i < u->uses.len; i++) {
		StreamUse *use = &u->uses.data[i];
		size_t kept = 0;
		for (size_t k = 0; k < use->n; k++)
			if (use->touched[k].addr - addr >= bytes) use->touched[kept++] = use->touched[k];
		u->pieces -= use->n - kept;
		use->n = kept;
	}
}

void unordered_free(Unordered *u) {
	while (u->uses.len) forget(u, u->uses.len - 1);
	vec_free(&u->uses);
	vec_free(&u->before);
}
