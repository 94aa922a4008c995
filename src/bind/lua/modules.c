/* gpulab's own Lua modules by folder: what a folder has need not be listed elsewhere. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "bind/internal.h"
#include "bind/lua/embed.h"

/* The table on top gets the key gpulab.FOLDER.NAME. */
static void add_module(lua_State *L, const char *folder, const char *name, size_t len) {
	lua_pushfstring(L, "%s.", folder);
	lua_pushlstring(L, name, len);
	lua_concat(L, 2);
	lua_pushboolean(L, true);
	lua_settable(L, -3);
}

static void close_folder(void *dir) {
	closedir(dir);
}

/* The Lua files of a folder, as modules. */
static void add_files(lua_State *L, const char *folder, const char *path) {
	static const char ending[] = ".lua";
	Holder *holder = bind_hold(L, close_folder);
	DIR *dir = holder->data = opendir(path);
	lua_insert(L, -2); /* below the table */
	for (struct dirent *e; dir && (e = readdir(dir));) {
		size_t len = strlen(e->d_name), end = strlen(ending);
		if (len > end && strcmp(e->d_name + len - end, ending) == 0) add_module(L, folder, e->d_name, len - end);
	}
	bind_drop(holder);
	lua_remove(L, -2);
}

/* modules("gpulab.prompt.command") -> the modules in that folder, not in folders below it, as keys of a table: those
 * built in, and those of GPULAB_LUA. */
int bind_host_modules(lua_State *L) {
	const char *folder = luaL_checkstring(L, 1), *override = getenv("GPULAB_LUA");
	size_t len = strlen(folder);
	luaL_argcheck(L, strncmp(folder, "gpulab.", strlen("gpulab.")) == 0, 1, "not a folder of gpulab's own modules");
	lua_settop(L, 1);
	const char *path = luaL_gsub(L, folder + strlen("gpulab."), ".", "/");
	lua_newtable(L);
	for (const EmbeddedLua *e = embedded_lua; e->name; e++) {
		if (strncmp(e->name, folder, len) != 0 || e->name[len] != '.' || strchr(e->name + len + 1, '.')) continue;
		add_module(L, folder, e->name + len + 1, strlen(e->name + len + 1));
	}
	for (int i = 0; i < 2 && override && *override; i++) {
		const char *under = lua_pushfstring(L, i == 0 ? "%s/gpulab/%s" : "%s/%s", override, path);
		lua_insert(L, -2);
		add_files(L, folder, under);
		lua_remove(L, -2);
	}
	return 1;
}
