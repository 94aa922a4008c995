/* Where gpulab's own Lua modules come from: those written in C, the folder GPULAB_LUA, those built in. */
#include "bind/lua/embed.h"

#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "bind/internal.h"

static const luaL_Reg c_modules[] = {{"gpulab.host", bind_host_module},       {"gpulab.store", bind_store_module},
									 {"gpulab.fs", bind_fs_module},           {"gpulab.jobs", bind_jobs_module},
									 {"gpulab.archive", bind_archive_module}, {"gpulab.exec", bind_exec_module},
									 {"gpulab.source", bind_source_module},   {NULL, NULL}};

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

/* False, with a message: the chunk cannot be loaded. Its name is that of the built-in module, wherever it is from. */
static bool load(lua_State *L, const char *name, const char *chunk, size_t bytes) {
	lua_pushfstring(L, "@lua/gpulab/%s.lua", push_file(L, name));
	const int status = luaL_loadbuffer(L, chunk, bytes, lua_tostring(L, -1));
	if (status == LUA_OK) return true;
	lua_pushfstring(L, "cannot load module '%s':\n\t%s", name, lua_tostring(L, -1));
	return false;
}

static bool load_file(lua_State *L, const char *name, const char *path) {
	size_t bytes;
	Holder *text = bind_hold(L, free);
	bind_must(L, (text->data = file_read(path, FILE_SOURCE_MOST, &bytes, bind_err())));
	const bool ok = load(L, name, text->data, bytes);
	bind_drop(text);
	return ok;
}

static bool load_module(lua_State *L, const char *name) {
	for (const luaL_Reg *m = c_modules; m->name; m++) {
		if (strcmp(m->name, name) != 0) continue;
		lua_pushcfunction(L, m->func);
		return true;
	}
	const char *folder = getenv("GPULAB_LUA");
	if (folder && *folder && !strchr(name, '/') && push_override(L, folder, name))
		return load_file(L, name, lua_tostring(L, -1));
	for (const EmbeddedLua *e = embedded_lua; e->name; e++)
		if (strcmp(e->name, name) == 0) return load(L, name, (const char *)e->chunk, e->bytes);
	lua_pushfstring(L, "no module '%s' is built into gpulab", name);
	return false;
}

/* gpulab.NAME from the list, or loaded with gpulab's own globals; other modules by Lua's require, the upvalue. */
static int own_require(lua_State *L) {
	const char *name = luaL_checkstring(L, 1);
	lua_settop(L, 1);
	if (strncmp(name, "gpulab.", strlen("gpulab.")) != 0) {
		lua_pushvalue(L, lua_upvalueindex(1));
		lua_insert(L, 1);
		lua_call(L, 1, LUA_MULTRET);
		return lua_gettop(L);
	}
	lua_getfield(L, LUA_REGISTRYINDEX, OWN_MODULES);
	if (lua_getfield(L, 2, name) != LUA_TNIL) return 1;
	if (!load_module(L, name)) return lua_error(L);
	lua_getfield(L, LUA_REGISTRYINDEX, OWN_GLOBALS);
	if (lua_iscfunction(L, -2) || !lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
	lua_pushvalue(L, 1);
	lua_call(L, 1, 1);
	lua_pushvalue(L, -1);
	lua_setfield(L, 2, name);
	return 1;
}

/* For Lua's require. */
static int search(lua_State *L) {
	if (strncmp(luaL_checkstring(L, 1), "gpulab.", strlen("gpulab.")) != 0) return 0;
	bind_push_own(L, "require");
	lua_pushliteral(L, "built in");
	return 2;
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
static void add_searcher(lua_State *L) {
	lua_getglobal(L, "package");
	drop_working_folder(L, "path", "LUA_PATH", "LUA_PATH_5_4");
	drop_working_folder(L, "cpath", "LUA_CPATH", "LUA_CPATH_5_4");
	lua_getfield(L, -1, "searchers");
	for (lua_Integer i = luaL_len(L, -1); i >= 2; i--) {
		lua_rawgeti(L, -1, i);
		lua_rawseti(L, -2, i + 1);
	}
	lua_pushcfunction(L, search);
	lua_rawseti(L, -2, 2);
	lua_pop(L, 2);
}

void bind_own(lua_State *L) {
	static const luaL_Reg others[] = {{"require", own_require}, {"pcall", bind_pcall}, {NULL, NULL}};
	luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
	luaL_requiref(L, "gpu", bind_gpu_module, 1); /* so that messages about its functions say gpu.buffer */
	lua_setfield(L, -2, "gpulab.gpu");
	lua_pop(L, 1);
	add_searcher(L);
	bind_keep_own(L, others);
}
