/* A scratch folder for one test program: a place for sources, and a cache of its own. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka's setup and teardown of a group: makes the folder, points XDG_CACHE_HOME into it, enters it; leaves and
 * removes it. */
int folder_make(void **state);
int folder_remove(void **state);

const char *folder_path(void);
char *path_in_folder(const char *name); /* the caller frees */

/* Writes a file below the folder, its folders too. */
void put(const char *name, const char *text);
void put_bytes(const char *name, const void *data, size_t len);

/* How many results the cache holds, and a way to all of its files. */
size_t cached_results(void);
void each_cached(void (*visit)(const char *path));
void empty_cache(void);
