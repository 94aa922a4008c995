/* Compiled results and small notes on disk, under XDG_CACHE_HOME/gpulab (or ~/.cache/gpulab).
 *
 * One file a result, named by its key. A file is trusted only if it is a regular file of ours that no other user can
 * write, is of a sane size, holds the key it is named by, and has the right digest; anything else is no result, and the
 * next one takes its place. A folder that cannot be written costs the speed, nothing else. Old files go first when the
 * folder outgrows its bound. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "compile/compile.h"

/* A key is a hash over everything that matters, each part with its length. It cannot be steered: a source that is made
 * to share another's key would be taken for that. */
typedef Hash CacheKey;

enum { CACHE_KEY_CHARS = HASH_CHARS };

CacheKey cache_key_start(void);
void cache_key_bytes(CacheKey *key, const void *data, size_t len);
void cache_key_text(CacheKey *key, const char *text); /* NULL differs from "" */
void cache_key_number(CacheKey *key, uint64_t number);
void cache_key_text_of(const CacheKey *key, char out[CACHE_KEY_CHARS]);

/* NULL: not there. The caller frees the result with compiled_free. */
Compiled *cache_load(const char *key);
void cache_store(const char *key, const Compiled *compiled);

/* Removes the files used longest ago until at most max_bytes are left; cache_store does so by itself with
 * CACHE_MAX_BYTES. */
#define CACHE_MAX_BYTES ((uint64_t)128 << 20)
void cache_trim(uint64_t max_bytes);

/* Precompiled headers: large files that NVRTC reads and writes by itself, in a folder of their own, which exists
 * afterwards. The caller frees; NULL: there is no place. */
char *cache_headers_folder(void);
/* Likewise, for what a compile writes down and reads again. What killed ones left is removed when it grows. */
char *cache_scratch_folder(void);
/* Keeps the checksum of a file beside path, under which it is then to be used. */
bool cache_headers_seal(const char *file, const char *path);
/* The file and its checksum are there, ours alone, and used just now. */
bool cache_headers_there(const char *path);
/* The content is right, too; a file that is not goes. It is read once, which takes a few hundredths of a second. */
bool cache_headers_usable(const char *path);
#define CACHE_HEADERS_MAX_BYTES ((uint64_t)768 << 20)
void cache_headers_trim(uint64_t max_bytes);

/* Small texts beside the results. NULL: not there; the caller frees. */
char *cache_note_read(const char *name);
void cache_note_write(const char *name, const char *text);
