/* The module gpulab.archive: archive.read(bytes) -> list of {name=, text=}, {name=, refused=}, or {name=} for a folder;
 * and what a name says: archive.named(name), archive.kernel(name), archive.litter(path). Not for labs. */
#include <stdlib.h>

#include "archive/archive.h"

#include "bind/internal.h"

BIND_RELEASE(free_contents, archive_free)

static int read_archive(lua_State *L) {
	static const Key keys[] = {KEYS(ArchiveEntry, name, refused), KEYS_END};
	size_t len;
	const char *bytes = luaL_checklstring(L, 1, &len);
	Holder *holder = bind_hold(L, free_contents);
	ArchiveContents *contents = holder->data = xcalloc(1, sizeof *contents);
	bind_must(L, archive_read(bytes, len, contents, bind_err()));
	lua_createtable(L, (int)contents->nentries, 0);
	for (uint32_t i = 0; i < contents->nentries; i++) {
		const ArchiveEntry *e = &contents->entries[i];
		bind_push_keys(L, keys, e);
		if (!e->refused && !text_ends(e->name, "/")) {
			lua_pushlstring(L, e->data, e->bytes);
			lua_setfield(L, -2, "text");
		}
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	bind_drop(holder);
	return 1;
}

static int says(lua_State *L, bool (*of)(const char *name)) {
	lua_pushboolean(L, of(luaL_checkstring(L, 1)));
	return 1;
}

static int named(lua_State *L) {
	return says(L, archive_named);
}

static int kernel(lua_State *L) {
	return says(L, archive_kernel);
}

static int litter(lua_State *L) {
	return says(L, archive_litter);
}

int bind_archive_module(lua_State *L) {
	static const luaL_Reg functions[] = {
		{"read", read_archive}, {"named", named}, {"kernel", kernel}, {"litter", litter}, {NULL, NULL}};
	luaL_newlib(L, functions);
	return 1;
}
