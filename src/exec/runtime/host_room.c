/* runtime.h: how much memory the program has at an address of its own. On the stack of this thread, to the end of the
 * frame that the address is in: a local variable is in one frame. In a block of malloc or new, to its end, by the sizes
 * before the blocks of glibc. Of other memory nothing is known. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

#include "exec/runtime/runtime.h"

/* --- the stack ---------------------------------------------------------------------------------------------------- */

typedef struct {
	uint64_t addr, end; /* 0: no frame ends behind the address */
	bool own;           /* the last frame that was looked at is of this library, which has no data of the program */
} FrameEnd;

/* Frames from the innermost on, by where the one that each has called begins. */
static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *frame, void *data) {
	FrameEnd *f = data;
	const uint64_t begin = _Unwind_GetCFA(frame);
	if (begin > f->addr) f->end = begin;
	if (f->end) return _URC_NORMAL_STOP;
	f->own = is_own_code((const void *)_Unwind_GetIP(frame)); /* NOLINT(performance-no-int-to-ptr) */
	return _URC_NO_REASON;
}

bool is_on_stack(const void *at, size_t bytes) {
	pthread_attr_t attributes;
	void *first = NULL;
	size_t all = 0;
	if (pthread_getattr_np(pthread_self(), &attributes)) return false;
	pthread_attr_getstack(&attributes, &first, &all);
	pthread_attr_destroy(&attributes);
	return (const char *)at < (char *)first + all && (const char *)at + bytes > (char *)first;
}

/* 0: it is in no frame of the program's. */
static uint64_t stack_room(uint64_t addr) {
	FrameEnd f = {addr, 0, true};
	if (addr >= (uint64_t)(uintptr_t)__builtin_frame_address(0)) _Unwind_Backtrace(look_at_frame, &f);
	return f.own ? 0 : f.end ? f.end - addr : UINT64_MAX;
}

/* --- blocks of malloc --------------------------------------------------------------------------------------------- */

enum { MOST_CHUNKS = 1 << 18, SMALLEST = 32, FLAGS = 7, IS_MAPPED = 2 };

/* A chunk begins with the size of the one before it, which that one uses, and its own size. */
static uint64_t word_at(uint64_t addr) {
	uint64_t word;
	memcpy(&word, (const void *)(uintptr_t)addr, sizeof word); /* NOLINT(performance-no-int-to-ptr) */
	return word;
}

static uint64_t heap_begin(void) {
	static uint64_t begin;
	unsigned long long first;
	char line[512];
	FILE *maps = begin ? NULL : fopen("/proc/self/maps", "re");
	while (maps && fgets(line, sizeof line, maps))
		if (strstr(line, "[heap]") && sscanf(line, "%llx-", &first) == 1) begin = first;
	if (maps) fclose(maps);
	return begin;
}

static bool heap_room(uint64_t addr, uint64_t *room) {
	const uint64_t end = (uint64_t)(uintptr_t)sbrk(0);
	uint64_t at = heap_begin(), size = 0;
	if (!at || addr < at || addr >= end) return false;
	for (unsigned i = 0; i < MOST_CHUNKS && at < addr && end - at >= SMALLEST; i++, at += size) {
		size = word_at(at + 8) & ~(uint64_t)FLAGS;
		if (size < SMALLEST || size % 16 || size > end - at) return false;
		*room = at + size + 8 - addr;
		if (addr >= at + 16 && addr < at + size + 8) return size < end - at; /* behind the last there is no block yet */
	}
	return false;
}

/* One of pages of its own, of which the address is the beginning. */
static bool mapped_room(uint64_t addr, uint64_t *room) {
	if (addr % 4096 != 16 || word_at(addr - 16)) return false;
	const uint64_t word = word_at(addr - 8), size = word & ~(uint64_t)FLAGS;
	*room = size - 16;
	return (word & FLAGS) == IS_MAPPED && size && size % 4096 == 0;
}

/* --- what is there ------------------------------------------------------------------------------------------------ */

bool read_words(const void *at, uint64_t *out, size_t n) {
	const struct iovec own = {out, n * sizeof *out}, there = {(void *)at, n * sizeof *out};
	return process_vm_readv(getpid(), &own, 1, &there, 1, 0) == (ssize_t)(n * sizeof *out);
}

/* A std::vector with so many bytes: its begin, its end, and the end of its memory. */
static bool is_vector(const void *at, size_t bytes) {
	enum { LOWEST = 1 << 16 };
	uint64_t word[3];
	return read_words(at, word, 3) && word[0] >= LOWEST && word[1] - word[0] == bytes && word[2] >= word[1];
}

uint64_t host_room(const void *at) {
	const uint64_t addr = (uint64_t)(uintptr_t)at;
	uint64_t word, room;
	if (!read_words((const char *)at - addr % sizeof word, &word, 1)) return UINT64_MAX;
	if (is_on_stack(at, 1)) return stack_room(addr);
	return heap_room(addr, &room) || mapped_room(addr, &room) ? room : UINT64_MAX;
}

void host_range_check(const void *at, size_t bytes, bool rows, const char *what) {
	if (!facts()->check) return;
	const uint64_t room = host_room(at);
	const bool stack = room < bytes && is_on_stack(at, 1);
	if (!rows && is_vector(at, bytes))
		mistake("the %s is a std::vector itself, and not its data: pass v.data(), and not &v", what);
	else if (!room)
		mistake("the %s is a local variable of a function that has returned: what it held is gone", what);
	else if (stack)
		mistake("%zu bytes, but the local variable that is the %s has %llu at most", bytes, what,
				(unsigned long long)room);
	else if (room < bytes)
		mistake("%zu bytes, but the block of malloc or new that is the %s has %llu at most from there on: both count "
				"bytes, n * sizeof(element)",
				bytes, what, (unsigned long long)room);
}
