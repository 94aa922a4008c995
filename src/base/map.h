/* The hash tables of the project. NumberMap: from numbers to numbers; a user with other keys or values keeps them in a
 * vector and maps to their index + 1. Map: from strings to pointers. Neither forgets a key. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint64_t key, value; /* value 0: free */
} NumberSlot;

/* All zeros: empty. Open addressing with linear probing, at most half full; each slot may be read in place. */
typedef struct {
	NumberSlot *slots; /* [size], a power of two */
	size_t size, count;
	int shift; /* of a hash, to an index */
} NumberMap;

static inline size_t number_map_slot(const NumberMap *map, uint64_t key) {
	size_t i = (size_t)(key * 0x9E3779B97F4A7C15u >> map->shift);
	while (map->slots[i].value && map->slots[i].key != key) i = (i + 1) & (map->size - 1);
	return i;
}

/* 0: not there. */
static inline uint64_t number_map_get(const NumberMap *map, uint64_t key) {
	return map->size ? map->slots[number_map_slot(map, key)].value : 0;
}

/* Where the key's value is until the next call: 0 if the key is new, and then to be set at once. */
uint64_t *number_map_at(NumberMap *map, uint64_t key);
/* Room for so many keys. One map's keys, slot by slot, come in the order of their hashes: a smaller map that took them
 * would search long runs of slots. */
void number_map_reserve(NumberMap *map, size_t keys);
void number_map_free(NumberMap *map); /* empty again */

typedef struct Map Map;

Map *map_new(void);                                          /* keys are copied */
Map *map_new_borrowing(void);                                /* keys outlive the map, terminated or not */
void map_free(Map *map);                                     /* NULL is allowed; values are not freed */
void *map_get(const Map *map, const char *key);              /* NULL: not there */
void *map_getn(const Map *map, const char *key, size_t len); /* the key need not be terminated */
bool map_has(const Map *map, const char *key);
void map_put(Map *map, const char *key, void *value); /* replaces an older value */
void map_putn(Map *map, const char *key, size_t len, void *value);

/* Keys have numbers from 1 on, in the order in which they came. */
uint32_t map_number(const Map *map, const char *key, size_t len); /* 0: not there */
uint32_t map_number_of(Map *map, const char *key, size_t len);    /* puts it there, with NULL, if it is not */
