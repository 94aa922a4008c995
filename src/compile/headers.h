/* The headers a source includes, folded into a cache key. */
#ifndef GPULAB_COMPILE_HEADERS_H
#define GPULAB_COMPILE_HEADERS_H

#include <stdbool.h>
#include <stddef.h>

#include "compile/cache.h"

/* Follows the #include lines of source, which lies in folder, through dirs. Files below one of the cuda folders count by name
 * alone: the toolkit is in the key already. Untaken branches are followed too, so a key may change without need, never stay
 * without right. False: a macro names a header, so nobody knows what the key should hold. */
bool headers_add(CacheKey *key, const char *source, const char *folder, const char *const *dirs, size_t ndirs,
				 const char *const *cuda, size_t ncuda);

#endif
