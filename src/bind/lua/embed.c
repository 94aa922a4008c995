/* require "gpulab.NAME": the modules written in C, then the folder GPULAB_LUA, then the modules built in. */
#include "bind/lua/embed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bind/internal.h"

/* The module is loaded as "gpu", so that messages about its functions say gpu.buffer. */
static int gpu_again(lua_State *L) {
	luaL_requiref(L, "gpu", bind_gpu_module, 0);
	return 1;
}

static const luaL_Reg c_modules[] = {
	{"gpulab.gpu", gpu_again},         {"gpulab.host", bind_host_module},     {"gpulab.store", bind_store_module},
	{"gpulab.fs", bind_fs_module},     {"gpulab.jobs", bind_jobs_module},     {"gpulab.archive", bind_archive_module},
	{"gpulab.exec", bind_exec_module}, {"gpulab.source", bind_source_module}, {NULL, NULL}};

/* Pushes the file of gpulab.NAME without its ending: gpulab.claims.03 is claims/03. */
static const char *push_file(lua_State *L, const char *name) {
	return luaL_gsub(L, name + strlen("gpulab."), ".", "/");
}

/* Pushes the path of gpulab.NAME below the folder, which may be the one that holds gpulab/ or gpulab/ itself. */
static bool push_override(lua_State *L, const char *folder, const char *name) {
	static const char *const shapes[] = {"%s/gpulab/%s.lua", "%s/%s.lua"};
	const char *file = push_file(L, name);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		const char *path = lua_pushfstring(L, shapes[i], folder, file);
		if (access(path, R_OK) == 0) return true;
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
	return false;
}

/* --- gpulab's own globals --------------------------------------------------------------------------------------------
 *
 * A user may type `table = nil` or `io.write = 3`, which must not break the prompt: gpulab's own modules see the
 * globals as they were at the start, libraries copied one level deep, then those defined later. What they assign goes
 * to the shared globals. */

static const char own_globals[] = "gpulab.globals";

/* The table on top, again with the same fields; other values as they are. Not gpu: its fields are meant to be
 * assigned. */
static void copy_library(lua_State *L, const char *name) {
	if (!lua_istable(L, -1) || strcmp(name, "_G") == 0 || strcmp(name, "gpu") == 0 || strcmp(name, "package") == 0)
		return;
	lua_newtable(L);
	for (lua_pushnil(L); lua_next(L, -3);) {
		lua_pushvalue(L, -2);
		lua_insert(L, -2);
		lua_settable(L, -4);
	}
	lua_remove(L, -2);
}

/* String methods are looked up in our copy first: s:gsub stays what it is, and functions that a user adds to the
 * library are methods as usual. */
static void keep_string_methods(lua_State *L) {
	lua_getfield(L, -1, "string");
	lua_newtable(L);
	lua_getglobal(L, "string");
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	lua_pushliteral(L, "");
	if (lua_getmetatable(L, -1)) {
		lua_pushvalue(L, -3);
		lua_setfield(L, -2, "__index");
		lua_pop(L, 1);
	}
	lua_pop(L, 2);
}

static void make_own_globals(lua_State *L) {
	luaL_checkstack(L, 12, "globals");
	lua_newtable(L);
	lua_pushglobaltable(L);
	for (lua_pushnil(L); lua_next(L, -2);) {
		const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
		if (name) {
			copy_library(L, name);
			lua_setfield(L, -4, name);
		} else {
			lua_pop(L, 1);
		}
	}
	lua_pop(L, 1);
	keep_string_methods(L);
	lua_createtable(L, 0, 2);
	lua_pushglobaltable(L);
	lua_setfield(L, -2, "__index");
	lua_pushglobaltable(L);
	lua_setfield(L, -2, "__newindex");
	lua_setmetatable(L, -2);
	lua_setfield(L, LUA_REGISTRYINDEX, own_globals);
}

/* The chunk on top gets them as its _ENV. */
static void use_own_globals(lua_State *L) {
	lua_getfield(L, LUA_REGISTRYINDEX, own_globals);
	if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
}

static int loaded(lua_State *L, int status, const char *name) {
	if (status == LUA_OK) return 2; /* the loader and where it came from */
	return luaL_error(L, "cannot load module '%s':\n\t%s", name, lua_tostring(L, -1));
}

static int load_embedded(lua_State *L, const EmbeddedLua *e) {
	lua_pushfstring(L, "@lua/gpulab/%s.lua", push_file(L, e->name));
	int status = luaL_loadbufferx(L, (const char *)e->chunk, e->bytes, lua_tostring(L, -1), "b");
	if (status == LUA_OK) use_own_globals(L);
	lua_pushvalue(L, -2);
	if (status != LUA_OK) lua_pop(L, 1);
	return loaded(L, status, e->name);
}

static int search(lua_State *L) {
	const char *name = luaL_checkstring(L, 1);
	if (strncmp(name, "gpulab.", strlen("gpulab.")) != 0) return 0;
	for (const luaL_Reg *m = c_modules; m->name; m++) {
		if (strcmp(m->name, name) != 0) continue;
		lua_pushcfunction(L, m->func);
		lua_pushliteral(L, "built in");
		return 2;
	}
	const char *folder = getenv("GPULAB_LUA");
	if (folder && *folder && !strchr(name, '/') && push_override(L, folder, name)) {
		const bool ok = bind_load_file(L, lua_tostring(L, -1), "t");
		if (ok) use_own_globals(L);
		lua_pushvalue(L, -2);
		if (!ok) lua_pop(L, 1);
		return loaded(L, ok ? LUA_OK : LUA_ERRSYNTAX, name);
	}
	for (const EmbeddedLua *e = embedded_lua; e->name; e++)
		if (strcmp(e->name, name) == 0) return load_embedded(L, e);
	lua_pushfstring(L, "no module '%s' is built into gpulab", name);
	return 1;
}

/* Removes the templates that begin in the working folder from package.path or cpath: files there are not run
 * implicitly. Setting the variable restores them. */
static void drop_working_folder(lua_State *L, const char *field, const char *variable, const char *versioned) {
	luaL_Buffer kept;
	if (getenv(variable) || getenv(versioned)) return;
	lua_getfield(L, -1, field);
	const char *at = lua_tostring(L, -1);
	luaL_buffinit(L, &kept);
	for (size_t len; at && *at; at += len + (at[len] == *LUA_PATH_SEP)) {
		len = strcspn(at, LUA_PATH_SEP);
		if (len && *at != *LUA_DIRSEP) continue;
		if (luaL_bufflen(&kept)) luaL_addstring(&kept, LUA_PATH_SEP);
		luaL_addlstring(&kept, at, len);
	}
	luaL_pushresult(&kept);
	lua_setfield(L, -3, field);
	lua_pop(L, 1);
}

/* Second among package.searchers, after package.preload: nothing on the path may stand in for gpulab's own. */
void bind_searcher(lua_State *L) {
	lua_getglobal(L, "package");
	drop_working_folder(L, "path", "LUA_PATH", "LUA_PATH_5_4");
	drop_working_folder(L, "cpath", "LUA_CPATH", "LUA_CPATH_5_4");
	lua_getfield(L, -1, "searchers");
	lua_getglobal(L, "table");
	lua_getfield(L, -1, "insert");
	lua_pushvalue(L, -3);
	lua_pushinteger(L, 2);
	lua_pushcfunction(L, search);
	lua_call(L, 3, 0);
	lua_pop(L, 3);
	luaL_requiref(L, "gpu", bind_gpu_module, 0);
	lua_setglobal(L, "gpu");
	make_own_globals(L);
}
