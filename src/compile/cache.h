/* Compiled results and small notes on disk, under XDG_CACHE_HOME/gpulab (or ~/.cache/gpulab).
 *
 * One file a result, named by its key. A file that is cut short, damaged, or of another layout is no result; a folder that cannot
 * be written costs the speed, nothing else. Old files go first when the folder outgrows its bound. */
#ifndef GPULAB_COMPILE_CACHE_H
#define GPULAB_COMPILE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/compile.h"

/* A key is a 128-bit FNV-1a hash over everything that matters, each part with its length. It keeps apart what differs by
 * accident; nobody gains by forging one, since whoever can write the folder can write the results. */
typedef struct {
	uint64_t high, low;
} CacheKey;

enum { CACHE_KEY_CHARS = 33 };

CacheKey cache_key_start(void);
void cache_key_bytes(CacheKey *key, const void *data, size_t len);
void cache_key_text(CacheKey *key, const char *text); /* NULL differs from "" */
void cache_key_number(CacheKey *key, uint64_t number);
void cache_key_text_of(const CacheKey *key, char out[CACHE_KEY_CHARS]);

/* NULL: not there. The caller frees the result with compiled_free. */
Compiled *cache_load(const char *key);
void cache_store(const char *key, const Compiled *compiled);

/* Removes the files used longest ago until at most max_bytes are left; cache_store does so by itself with CACHE_MAX_BYTES. */
#define CACHE_MAX_BYTES ((uint64_t)128 << 20)
void cache_trim(uint64_t max_bytes);

/* Small texts beside the results. NULL: not there; the caller frees. */
char *cache_note_read(const char *name);
void cache_note_write(const char *name, const char *text);

#endif
