/* A map from strings to pointers. Keys are copied; values are the caller's. */
#ifndef GPULAB_BASE_MAP_H
#define GPULAB_BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Map Map;

Map *map_new(void);
void map_free(Map *map);                                     /* NULL is allowed; values are not freed */
void *map_get(const Map *map, const char *key);              /* NULL: not there */
void *map_getn(const Map *map, const char *key, size_t len); /* the key need not be terminated */
bool map_has(const Map *map, const char *key);
void map_put(Map *map, const char *key, void *value); /* replaces an older value */
size_t map_count(const Map *map);

#endif
