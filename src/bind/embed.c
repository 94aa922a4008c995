/* require "gpulab.NAME": the modules written in C, then the folder GPULAB_LUA, then the sources built in. */
#include "bind/embed.h"

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

static const luaL_Reg c_modules[] = {{"gpulab.gpu", gpu_again},
									 {"gpulab.host", bind_host_module},
									 {"gpulab.store", bind_store_module},
									 {"gpulab.desk", bind_desk_module},
									 {NULL, NULL}};

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

static int loaded(lua_State *L, int status, const char *name) {
	if (status == LUA_OK) return 2; /* the loader and where it came from */
	return luaL_error(L, "cannot load module '%s':\n\t%s", name, lua_tostring(L, -1));
}

static int load_embedded(lua_State *L, const EmbeddedLua *e) {
	lua_pushfstring(L, "@lua/gpulab/%s.lua", push_file(L, e->name));
	int status = luaL_loadbufferx(L, (const char *)e->text, e->bytes, lua_tostring(L, -1), "t");
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
		int status = luaL_loadfilex(L, lua_tostring(L, -1), "t");
		lua_pushvalue(L, -2);
		if (status != LUA_OK) lua_pop(L, 1);
		return loaded(L, status, name);
	}
	for (const EmbeddedLua *e = embedded_lua; e->name; e++)
		if (strcmp(e->name, name) == 0) return load_embedded(L, e);
	lua_pushfstring(L, "no module '%s' is built into gpulab", name);
	return 1;
}

/* Second among package.searchers, after package.preload: nothing on the path may stand in for gpulab's own. */
void bind_searcher(lua_State *L) {
	lua_getglobal(L, "package");
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
}
