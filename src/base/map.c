/* map.h */
#include "base/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static void grow(NumberMap *map, size_t size) {
	assert(size && !(size & (size - 1)) && 2 * map->count <= size);
	NumberMap bigger = {.size = size, .count = map->count, .shift = 64 - __builtin_ctzll(size)};
	bigger.slots = xcalloc(bigger.size, sizeof *bigger.slots);
	for (size_t i = 0; i < map->size; i++)
		if (map->slots[i].value) bigger.slots[number_map_slot(&bigger, map->slots[i].key)] = map->slots[i];
	free(map->slots);
	*map = bigger;
}

uint64_t *number_map_at(NumberMap *map, uint64_t key) {
	if (2 * (map->count + 1) > map->size) grow(map, map->size ? 2 * map->size : 16);
	NumberSlot *slot = &map->slots[number_map_slot(map, key)];
	if (!slot->value) map->count++;
	slot->key = key;
	return &slot->value;
}

void number_map_reserve(NumberMap *map, size_t keys) {
	size_t size = map->size ? map->size : 16;
	while (size < 2 * keys) size *= 2;
	if (size > map->size) grow(map, size);
}

void number_map_free(NumberMap *map) {
	free(map->slots);
	*map = (NumberMap){0};
}

/* --- strings ------------------------------------------------------------------------------------------------------ */

typedef struct {
	const char *key;
	size_t len;
	void *value;
	uint32_t next; /* of the same hash; 0: none */
} Entry;

struct Map {
	NumberMap first; /* by hash */
	VEC(Entry) entries;
	bool borrows;
};

/* FNV-1a */
static uint64_t hash_of(const char *key, size_t len) {
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < len; i++) h = (h ^ (unsigned char)key[i]) * 1099511628211u;
	return h;
}

Map *map_new(void) {
	return xcalloc(1, sizeof(Map));
}

Map *map_new_borrowing(void) {
	Map *map = map_new();
	map->borrows = true;
	return map;
}

void map_free(Map *map) {
	if (!map) return;
	for (size_t i = 0; i < map->entries.len && !map->borrows; i++) free((char *)map->entries.data[i].key);
	vec_free(&map->entries);
	number_map_free(&map->first);
	free(map);
}

static uint32_t find(const Map *map, uint32_t number, const char *key, size_t len) {
	for (; number; number = map->entries.data[number - 1].next) {
		const Entry *e = &map->entries.data[number - 1];
		if (e->len == len && memcmp(e->key, key, len) == 0) break;
	}
	return number;
}

uint32_t map_number(const Map *map, const char *key, size_t len) {
	return find(map, (uint32_t)number_map_get(&map->first, hash_of(key, len)), key, len);
}

uint32_t map_number_of(Map *map, const char *key, size_t len) {
	uint64_t *first = number_map_at(&map->first, hash_of(key, len));
	const uint32_t there = find(map, (uint32_t)*first, key, len);
	if (there) return there;
	char *copy = map->borrows ? NULL : xcalloc(len + 1, 1);
	if (copy) memcpy(copy, key, len);
	vec_push(&map->entries, (Entry){.key = copy ? copy : key, .len = len, .next = (uint32_t)*first});
	*first = map->entries.len;
	return (uint32_t)map->entries.len;
}

void *map_getn(const Map *map, const char *key, size_t len) {
	const uint32_t number = map_number(map, key, len);
	return number ? map->entries.data[number - 1].value : NULL;
}

void *map_get(const Map *map, const char *key) {
	return map_getn(map, key, strlen(key));
}

bool map_has(const Map *map, const char *key) {
	return map_number(map, key, strlen(key)) != 0;
}

void map_putn(Map *map, const char *key, size_t len, void *value) {
	const uint32_t number = map_number_of(map, key, len);
	map->entries.data[number - 1].value = value;
}

void map_put(Map *map, const char *key, void *value) {
	map_putn(map, key, strlen(key), value);
}
