/* An arena allocates memory that is freed together: a parsed module, a lowered kernel.
 * Memory is zeroed and aligned for any type. Allocation does not fail: on exhaustion the process ends with a message,
 * because nothing small enough to live in an arena can be recovered from then. */
#pragma once

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* NULL is allowed */
void *arena_alloc(Arena *arena, size_t bytes);
void *arena_aligned(Arena *arena, size_t bytes, size_t align); /* a power of two */
void *arena_array(Arena *arena, size_t count, size_t size);    /* count × size, overflow checked */
char *arena_strndup(Arena *arena, const char *text, size_t len);
char *arena_strdup(Arena *arena, const char *text);
char *arena_format(Arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
size_t arena_bytes(const Arena *arena); /* that were allocated */
/* Moves the allocations of `from` to `into`; `from` is freed. */
void arena_join(Arena *into, Arena *from);

/* malloc, realloc, strdup, asprintf for everything else that cannot sensibly fail; same rule on exhaustion. */
void *xmalloc(size_t bytes);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *old, size_t bytes);
void *xaligned(size_t bytes, size_t align); /* zeroed; align: a power of two */
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t len);
char *xformat(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Says so and ends the process: for memory from elsewhere, as mmap. */
_Noreturn void exit_out_of_memory(size_t bytes);

/* Before the declaration of a local pointer to memory of malloc, or to an arena: freed where its block ends. */
#define AUTO_FREE __attribute__((cleanup(auto_free_)))
#define AUTO_ARENA __attribute__((cleanup(auto_arena_)))
void auto_free_(void *pointer);
void auto_arena_(Arena **arena);
