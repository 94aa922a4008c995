/* How much memory Lua's own values may take. A mistyped loop or string.rep would else take the machine's, and what C
 * does with a value at one go, which Ctrl-C cannot stop, takes long only where the value is large. Arrays and buffers
 * are not among them. */
#include <stdlib.h>

#include "base/limits.h"
#include "bind/bind.h"
#include "bind/internal.h"

enum { OF_A_STRING = 16, OF_A_BLOCK = 4, ALWAYS = 64 << 20 };

static struct {
	size_t used, limit; /* bytes: taken, allowed */
	size_t limit_mb;
	bool refused; /* the block before; now it is asked for once more */
	lua_Alloc allocate;
	void *data;
} memory;

/* What one value may take: Lua says of a new block what it is for. */
static size_t most_of_one(const void *block, size_t old_size) {
	return (memory.limit_mb << 20) / (!block && old_size == LUA_TSTRING ? OF_A_STRING : OF_A_BLOCK);
}

/* Where a block is refused Lua collects its garbage and asks once more. That has to have brought something, or the next
 * blocks would take a collection each. */
static bool is_allowed(const void *block, size_t old_size, size_t size, size_t grown) {
	const size_t limit = memory.refused ? memory.limit - memory.limit / OF_A_STRING : memory.limit;
	return size <= most_of_one(block, old_size) && memory.used + grown <= limit;
}

/* A block that shrinks is never refused. */
static void *limited(void *unused, void *block, size_t old_size, size_t size) {
	const size_t before = block ? old_size : 0;
	if (size > before) {
		const bool allowed = is_allowed(block, old_size, size, size - before);
		memory.refused = !allowed && !memory.refused;
		if (!allowed) return NULL;
	}
	void *result = memory.allocate(memory.data, block, old_size, size);
	if (result || size == 0) memory.used += size - before;
	return result;
}

void bind_memory_begin(lua_State *L) {
	(void)L;
	memory.limit_mb = (size_t)limit_of(LIMIT_LUA_MEMORY) >> 20;
	size_t limit = memory.limit_mb << 20;
	memory.limit = memory.used + ALWAYS > limit ? memory.used + ALWAYS : limit;
}

void bind_limit_memory(lua_State *L) {
	memory.allocate = lua_getallocf(L, &memory.data);
	memory.used = (size_t)lua_gc(L, LUA_GCCOUNT) * 1024 + (size_t)lua_gc(L, LUA_GCCOUNTB);
	bind_memory_begin(L);
	lua_setallocf(L, limited, NULL);
}

void bind_push_memory_error(lua_State *L) {
	Err err = ERR_INIT;
	err_set(&err, ERR_SETUP, "not enough memory: Lua's own values may take %zu MB, one string %zu MB", memory.limit_mb,
			memory.limit_mb / OF_A_STRING);
	err_hint(&err, "gpu.array holds numbers outside this limit; %s sets another", limit_how(LIMIT_LUA_MEMORY));
	bind_push_error(L, err.kind, err.what, err.where, err.hint);
}
