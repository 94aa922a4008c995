/* map.h: open addressing, linear probing, FNV-1a; at most 3/4 full. */
#include "base/map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

typedef struct {
	char *key; /* NULL: free */
	size_t len;
	uint64_t hash;
	void *value;
} Entry;

struct Map {
	Entry *entries;
	size_t size, count; /* size is a power of two */
};

static uint64_t hash_of(const char *key, size_t len) {
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)key[i]) * 1099511628211u;
	return h;
}

static Entry *slot_for(const Map *map, const char *key, size_t len, uint64_t hash) {
	for (size_t i = hash & (map->size - 1);; i = (i + 1) & (map->size - 1)) {
		Entry *e = &map->entries[i];
		if (!e->key || (e->hash == hash && e->len == len && memcmp(e->key, key, len) == 0)) return e;
	}
}

Map *map_new(void) {
	Map *map = xcalloc(1, sizeof *map);
	map->size = 16;
	map->entries = xcalloc(map->size, sizeof *map->entries);
	return map;
}

void map_free(Map *map) {
	if (!map) return;
	for (size_t i = 0; i < map->size; i++) free(map->entries[i].key);
	free(map->entries);
	free(map);
}

void *map_getn(const Map *map, const char *key, size_t len) {
	return slot_for(map, key, len, hash_of(key, len))->value;
}

void *map_get(const Map *map, const char *key) {
	return map_getn(map, key, strlen(key));
}

bool map_has(const Map *map, const char *key) {
	size_t len = strlen(key);
	return slot_for(map, key, len, hash_of(key, len))->key != NULL;
}

static void grow(Map *map) {
	Map bigger = {.size = map->size * 2, .count = map->count};
	bigger.entries = xcalloc(bigger.size, sizeof *bigger.entries);
	for (size_t i = 0; i < map->size; i++) {
		Entry *e = &map->entries[i];
		if (e->key) *slot_for(&bigger, e->key, e->len, e->hash) = *e;
	}
	free(map->entries);
	*map = bigger;
}

void map_put(Map *map, const char *key, void *value) {
	if ((map->count + 1) * 4 > map->size * 3) grow(map);
	size_t len = strlen(key);
	uint64_t hash = hash_of(key, len);
	Entry *e = slot_for(map, key, len, hash);
	if (!e->key) {
		*e = (Entry){.key = xstrdup(key), .len = len, .hash = hash};
		map->count++;
	}
	e->value = value;
}

size_t map_count(const Map *map) {
	return map->count;
}
