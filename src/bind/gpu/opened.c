/* gpu.device: the device that is used where none is named. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/text/printable.h"
#include "bind/bind.h"
#include "bind/internal.h"

static const char default_name_key[] = "gpulab.default_device";
static const char device_key[] = "gpulab.gpu.device";

void bind_default_device(lua_State *L, const char *name) {
	lua_pushstring(L, name && *name ? name : "auto");
	lua_setfield(L, LUA_REGISTRYINDEX, default_name_key);
}

/* ssh:, slurm, pbs, job: */
static bool is_place(lua_State *L, const char *name) {
	bind_push_function(L, "gpulab.base.places", "is");
	lua_pushstring(L, name);
	lua_call(L, 1, 1);
	const bool is = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return is;
}

/* The words of a field of the table at `table`; NULL: there are none. */
static const char *const *push_words(lua_State *L, int table, const char *field) {
	size_t n;
	const bool has = lua_getfield(L, table, field) == LUA_TTABLE;
	return has ? bind_check_texts(L, -1, 1, field, 0, &n) : NULL;
}

static const Key place_keys[] = {KEYS(DevicePlace, device, job),
								 KEY_AS(DevicePlace, warm_s, "warm"),
								 KEY_AS(DevicePlace, wait_s, "wait"),
								 KEY_ALLOWED("name"),
								 KEY_ALLOWED("start"),
								 KEY_ALLOWED("queue"),
								 KEY_ALLOWED("cancel"),
								 KEY_ALLOWED("pack"),
								 KEY_ALLOWED("gpu"),
								 KEYS_END};

static bool open_place(lua_State *L, const char *name, Device **out, Err *err) {
	bind_push_function(L, "gpulab.base.places", "resolve");
	lua_pushstring(L, name);
	lua_call(L, 1, 1);
	const int table = lua_gettop(L);
	DevicePlace place = {.name = name};
	bind_read_keys_at(L, table, 1, "a place: ", place_keys, &place);
	place.start = push_words(L, table, "start");
	place.queue = push_words(L, table, "queue");
	place.cancel = push_words(L, table, "cancel");
	place.pack = push_words(L, table, "pack");
	const char *model = lua_getfield(L, table, "gpu") == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
	if (!model && text_starts(place.device, "emu:")) model = place.device + strlen("emu:");
	if (model) place.gpu = gpu_find_typed(model, err);
	return (place.gpu || !model) && device_open_place(&place, out, err);
}

/* A line of its own for each, where standard error is no terminal; there they replace each other. */
static void show_waiting(const char *text) {
	static bool shown;
	static char last[240];
	const bool terminal = isatty(STDERR_FILENO);
	if (!text && shown && terminal) fputs("\r\033[K", stderr);
	shown = text;
	if (!text || strcmp(last, text) == 0) return;
	snprintf(last, sizeof last, "%s", text);
	AUTO_FREE char *safe = printable(text);
	fprintf(stderr, terminal ? "\r\033[K%s" : "%s\n", safe);
	fflush(stderr);
}

int bind_open_named(lua_State *L, const char *name) {
	Err err = ERR_INIT;
	const int top = lua_gettop(L);
	DeviceBox *box = bind_box(L, sizeof *box, CLASS_DEVICE, 0);
	device_waiting = show_waiting;
	const bool ok = is_place(L, name) ? open_place(L, name, &box->device, &err) : device_open(name, &box->device, &err);
	if (!ok) return bind_raise(L, &err);
	lua_settop(L, top + 1);
	return 1;
}

void bind_gpu_device(lua_State *L) {
	if (lua_getfield(L, LUA_REGISTRYINDEX, device_key) == LUA_TNIL) {
		lua_pop(L, 1);
		const char *name = "auto";
		if (lua_getfield(L, LUA_REGISTRYINDEX, default_name_key) == LUA_TSTRING) name = lua_tostring(L, -1);
		bind_open_named(L, name);
		lua_remove(L, -2);
		lua_pushvalue(L, -1);
		lua_setfield(L, LUA_REGISTRYINDEX, device_key);
	}
	DeviceBox *box = lua_touserdata(L, -1);
	if (!box->device) luaL_error(L, "gpu.device is closed: set gpu.device = gpu.open(name) to go on");
}

void bind_set_gpu_device(lua_State *L) {
	lua_setfield(L, LUA_REGISTRYINDEX, device_key);
}
