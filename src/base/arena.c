/* arena.h: a chain of growing chunks, newest first. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 4 * 1024 * 1024 };

typedef struct Chunk {
	struct Chunk *next;
	size_t used, size;
	alignas(max_align_t) unsigned char data[];
} Chunk;

struct Arena {
	Chunk *newest;
};

void exit_out_of_memory(size_t bytes) {
	fprintf(stderr, "gpulab: out of memory (%zu bytes requested)\n", bytes);
	exit(5);
}

void *xmalloc(size_t bytes) {
	void *p = malloc(bytes ? bytes : 1);
	if (!p) exit_out_of_memory(bytes);
	return p;
}

void *xcalloc(size_t count, size_t size) {
	void *p = calloc(count ? count : 1, size ? size : 1);
	if (!p) exit_out_of_memory(size);
	return p;
}

void *xrealloc(void *old, size_t bytes) {
	void *p = realloc(old, bytes ? bytes : 1);
	if (!p) exit_out_of_memory(bytes);
	return p;
}

void *xaligned(size_t bytes, size_t align) {
	void *p = bytes > SIZE_MAX - align ? NULL : aligned_alloc(align, (bytes + align - 1) & ~(align - 1));
	if (!p) exit_out_of_memory(bytes);
	return memset(p, 0, bytes);
}

void auto_free_(void *pointer) {
	void *at;
	memcpy(&at, pointer, sizeof at);
	free(at);
}

void auto_arena_(Arena **arena) {
	arena_free(*arena);
}

char *xstrdup(const char *text) {
	size_t n = strlen(text) + 1;
	return memcpy(xmalloc(n), text, n);
}

char *xstrndup(const char *text, size_t len) {
	char *copy = xcalloc(len + 1, 1);
	if (len) memcpy(copy, text, len);
	return copy;
}

static char *formatted(const char *fmt, va_list args) {
	char *text;
	if (vasprintf(&text, fmt, args) < 0) exit_out_of_memory(0);
	return text;
}

char *xformat(const char *fmt, ...) {
	va_list args;
	va_start(args, fmt);
	char *text = formatted(fmt, args);
	va_end(args);
	return text;
}

Arena *arena_new(void) {
	return xcalloc(1, sizeof(Arena));
}

void arena_free(Arena *arena) {
	if (!arena) return;
	for (Chunk *c = arena->newest, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(arena);
}

static Chunk *add_chunk(Arena *arena, size_t bytes) {
	size_t size = arena->newest ? arena->newest->size * 2 : FIRST_CHUNK;
	if (size > LARGEST_CHUNK) size = LARGEST_CHUNK;
	if (size < bytes) size = bytes;
	Chunk *c = xcalloc(1, sizeof *c + size);
	c->size = size;
	c->next = arena->newest;
	return arena->newest = c;
}

void *arena_alloc(Arena *arena, size_t bytes) {
	const size_t align = alignof(max_align_t);
	if (bytes > PTRDIFF_MAX) exit_out_of_memory(bytes); /* nothing is that large, and no sum below overflows */
	bytes = (bytes + align - 1) & ~(align - 1);
	Chunk *c = arena->newest;
	if (!c || c->size - c->used < bytes) c = add_chunk(arena, bytes);
	void *p = c->data + c->used;
	c->used += bytes;
	return p;
}

void *arena_aligned(Arena *arena, size_t bytes, size_t align) {
	const uintptr_t at = (uintptr_t)arena_alloc(arena, bytes + align - 1);
	return (void *)((at + align - 1) & ~(uintptr_t)(align - 1));
}

void *arena_array(Arena *arena, size_t count, size_t size) {
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) exit_out_of_memory(SIZE_MAX);
	return arena_alloc(arena, bytes);
}

char *arena_strndup(Arena *arena, const char *text, size_t len) {
	char *p = arena_alloc(arena, len < SIZE_MAX ? len + 1 : len);
	if (len) memcpy(p, text, len);
	return p;
}

char *arena_strdup(Arena *arena, const char *text) {
	return arena_strndup(arena, text, strlen(text));
}

char *arena_format(Arena *arena, const char *fmt, ...) {
	va_list args;
	va_start(args, fmt);
	char *text = formatted(fmt, args), *copy = arena_strdup(arena, text);
	va_end(args);
	free(text);
	return copy;
}

size_t arena_bytes(const Arena *arena) {
	size_t bytes = 0;
	for (const Chunk *c = arena->newest; c; c = c->next) bytes += c->used;
	return bytes;
}

void arena_join(Arena *into, Arena *from) {
	Chunk **last = &into->newest;
	if (!from) return;
	while (*last) last = &(*last)->next;
	*last = from->newest;
	free(from);
}
