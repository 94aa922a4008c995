/* a:mismatch(want) and b:mismatch(want): where and how a result differs from what it should be. A buffer is compared
 * piece by piece as it comes from the device, so that its content is never held, nor read twice; b:digest() spares that
 * for a content that was compared before. */
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "bind/internal.h"
#include "bind/values/set.h"

enum { MOST = 1000 /* differences listed */, SIDE = 8, CELLS = SIDE * SIDE, SLICE = 4096 /* elements */ };
enum { VECTOR_COLUMNS = 1024, MOST_ROWS = 1 << 16 };

/* A map of what differs: how many elements in each of 64 parts of a vector, or in 8 x 8 parts of a matrix; and how many
 * in each row and each column, for which a vector is a matrix of 1024 columns. */
typedef struct {
	size_t total; /* elements */
	uint64_t wrong[CELLS];
	size_t width;
	uint32_t *rows, *columns; /* NULL: not counted, or too many */
} Map;

typedef struct {
	Tolerance tolerance;
	int64_t columns; /* 0: not a matrix */
	size_t most;
	bool cells;
} Options;

static Options check_options(lua_State *L, int arg) {
	static const Key keys[] = {KEY_AMOUNT(Options, tolerance.relative, "relative"),
							   KEY_AMOUNT(Options, tolerance.absolute, "absolute"),
							   KEY_WHOLE(Options, columns, 0, LUA_MAXINTEGER), KEYS(Options, most, cells), KEYS_END};
	Options o = {.most = 5};
	bind_read_keys(L, arg, keys, &o);
	if (o.most > MOST) o.most = MOST;
	return o;
}

static void push_difference(lua_State *L, ElemType type, const void *got, const void *want, size_t i,
							lua_Integer columns) {
	lua_createtable(L, 0, 5);
	set_count(L, "index", (lua_Integer)i);
	if (columns > 0) {
		set_count(L, "row", (lua_Integer)i / columns);
		set_count(L, "column", (lua_Integer)i % columns);
	}
	bind_push_element(L, type, got);
	lua_setfield(L, -2, "got");
	bind_push_element(L, type, want);
	lua_setfield(L, -2, "want");
}

static void check_alike(lua_State *L, ElemType type, size_t count, const Array *want) {
	if (type == want->type && count == want->count) return;
	bind_bad(L, 2, "an array of %zu %s expected, this one has %zu %s", count, elem_name(type), want->count,
			 elem_name(want->type));
}

static size_t cell_of(const Map *map, size_t i, int64_t columns) {
	if (columns <= 0) return i * CELLS / map->total;
	const size_t width = (size_t)columns, rows = (map->total + width - 1) / width;
	return i / width * SIDE / rows * SIDE + i % width * SIDE / width;
}

static void add_to_map(Map *map, const Array *got, const Array *want, const Options *o, size_t offset) {
	size_t wrong[SLICE];
	for (size_t at = 0; at < got->count; at += SLICE) {
		const size_t count = got->count - at < SLICE ? got->count - at : SLICE;
		const Array part = {.type = got->type, .count = count, .data = (void *)(uintptr_t)array_at(got, at)},
					right = {.type = got->type, .count = count, .data = (void *)(uintptr_t)array_at(want, at)};
		const size_t n = array_mismatch(&part, &right, o->tolerance, wrong, SLICE);
		for (size_t i = 0; i < n; i++) {
			const size_t element = offset + at + wrong[i];
			map->wrong[cell_of(map, element, o->columns)]++;
			if (map->rows) map->rows[element / map->width]++;
			if (map->columns) map->columns[element % map->width]++;
		}
	}
}

/* The table on top: {count, first}; adds the differences of a piece that begins at element `offset`. The listed
 * values are copied before Lua allocates: a finalizer that runs then may end the worker that owns the memory. */
static size_t add_piece(lua_State *L, const Array *got, const Array *want, const Options *o, Map *map, size_t offset,
						size_t before) {
	size_t first[MOST];
	const size_t room = before < o->most ? o->most - before : 0;
	const size_t n = array_mismatch(got, want, o->tolerance, first, room);
	uint64_t reported[MOST]; /* elements */
	const size_t size = elem_bytes(got->type);
	if (n && o->cells) add_to_map(map, got, want, o, offset);
	for (size_t i = 0; i < n && i < room; i++) memcpy(&reported[i], array_at(got, first[i]), size);
	for (size_t i = 0; i < n && i < room; i++) {
		lua_getfield(L, -1, "first");
		push_difference(L, got->type, &reported[i], array_at(want, first[i]), offset + first[i], o->columns);
		lua_rawseti(L, -2, (lua_Integer)(before + i) + 1);
		lua_pop(L, 1);
	}
	return before + n;
}

/* Counts that become a field of the table on top. */
static uint32_t *add_counts(lua_State *L, const char *name, size_t n) {
	if (n > MOST_ROWS) return NULL;
	const Array *counts = bind_new_array(L, ELEM_U32, n);
	memset(counts->data, 0, n * sizeof(uint32_t));
	lua_setfield(L, -2, name);
	return counts->data;
}

static Map push_result(lua_State *L, size_t total, const Options *o) {
	Map map = {.total = total, .width = o->columns > 1 ? (size_t)o->columns : VECTOR_COLUMNS};
	lua_createtable(L, 0, 5);
	lua_newtable(L);
	lua_setfield(L, -2, "first");
	if (!o->cells || !total) return map;
	map.rows = add_counts(L, "by_row", (total - 1) / map.width + 1);
	map.columns = add_counts(L, "by_column", map.width);
	return map;
}

static int result(lua_State *L, size_t n, const Options *o, const Map *map) {
	if (n == 0) return 0;
	set_count(L, "count", (lua_Integer)n);
	if (!o->cells) return 1;
	lua_createtable(L, CELLS, 0);
	for (int i = 0; i < CELLS; i++) {
		lua_pushinteger(L, (lua_Integer)map->wrong[i]);
		lua_rawseti(L, -2, i + 1);
	}
	lua_setfield(L, -2, "cells");
	return 1;
}

int bind_array_mismatch(lua_State *L) {
	const Array *got = bind_check_array(L, 1), *want = bind_check_array(L, 2);
	const Options o = check_options(L, 3);
	check_alike(L, got->type, got->count, want);
	Map map = push_result(L, got->count, &o);
	return result(L, add_piece(L, got, want, &o, &map, 0, 0), &o, &map);
}

int bind_buffer_mismatch(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	const Array *want = bind_check_array(L, 2);
	const Options o = check_options(L, 3);
	size_t n = 0;
	check_alike(L, box->type, box->count, want);
	const size_t most = LOOK_BYTES / elem_bytes(box->type);
	Array *room = bind_new_array(L, box->type, box->count < most ? box->count : most);
	Map map = push_result(L, box->count, &o);
	for (size_t at = 0; at < box->count; at += most) {
		const size_t count = box->count - at < most ? box->count - at : most;
		const void *there = device_look(bind_open(L, box->owner), box->buffer, at, count, room->data, bind_err());
		bind_must(L, there);
		const Array got = {.type = box->type, .count = count, .data = (void *)there},
					part = {.type = box->type, .count = count, .data = array_at(want, at)};
		n = add_piece(L, &got, &part, &o, &map, at, n);
	}
	return result(L, n, &o, &map);
}

int bind_buffer_digest(lua_State *L) {
	const BufferBox *box = bind_check_buffer(L, 1);
	const Array *content = lua_isnoneornil(L, 2) ? NULL : bind_check_array(L, 2);
	Device *device = bind_open(L, box->owner);
	Digest digest;
	if (content) check_alike(L, box->type, box->count, content);
	if (content ? !device_digest_of(device, content->data, content->count * elem_bytes(content->type), &digest)
				: !device_digest(device, box->buffer, &digest))
		return 0;
	lua_pushlstring(L, (const char *)&digest, sizeof digest);
	return 1;
}
