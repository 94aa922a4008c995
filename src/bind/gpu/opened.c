/* gpu.device: the device that is used where none is named. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "bind/bind.h"
#include "bind/internal.h"

static const char default_name_key[] = "gpulab.default_device";
static const char device_key[] = "gpulab.gpu.device";

void bind_default_device(lua_State *L, const char *name) {
	lua_pushstring(L, name && *name ? name : "auto");
	lua_setfield(L, LUA_REGISTRYINDEX, default_name_key);
}

/* ssh:, slurm, pbs, job: (base/places.lua). Leaves the module on the stack. */
static bool is_place(lua_State *L, const char *name) {
	lua_getglobal(L, "require");
	lua_pushliteral(L, "gpulab.base.places");
	lua_call(L, 1, 1);
	lua_getfield(L, -1, "is");
	lua_pushstring(L, name);
	lua_call(L, 1, 1);
	const bool is = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return is;
}

/* The words of a field of the table at `table`; the array stays on the stack, and the table keeps the texts. */
static const char *const *push_words(lua_State *L, int table, const char *field) {
	const bool has = lua_getfield(L, table, field) == LUA_TTABLE;
	const size_t n = has ? lua_rawlen(L, -1) : 0;
	const char **words = lua_newuserdatauv(L, (n + 1) * sizeof *words, 0);
	for (size_t i = 0; i < n; i++) {
		lua_rawgeti(L, -2, (lua_Integer)i + 1);
		words[i] = lua_tostring(L, -1);
		lua_pop(L, 1);
	}
	words[n] = NULL;
	return has ? words : NULL;
}

static const char *text_of(lua_State *L, int table, const char *field) {
	lua_getfield(L, table, field);
	const char *text = lua_tostring(L, -1);
	lua_pop(L, 1); /* the table keeps it */
	return text;
}

static double seconds_of(lua_State *L, int table, const char *field) {
	lua_getfield(L, table, field);
	const double seconds = lua_tonumber(L, -1);
	lua_pop(L, 1);
	return seconds;
}

/* The module places is on top. */
static bool open_place(lua_State *L, const char *name, Device **out, Err *err) {
	lua_getfield(L, -1, "resolve");
	lua_pushstring(L, name);
	lua_call(L, 1, 1);
	const int table = lua_gettop(L);
	const char *model = text_of(L, table, "gpu"), *device = text_of(L, table, "device");
	if (!model && text_starts(device, "emu:")) model = device + strlen("emu:");
	const DevicePlace place = {.name = name,
							   .device = device,
							   .start = push_words(L, table, "start"),
							   .queue = push_words(L, table, "queue"),
							   .cancel = push_words(L, table, "cancel"),
							   .pack = push_words(L, table, "pack"),
							   .job = text_of(L, table, "job"),
							   .warm_s = seconds_of(L, table, "warm"),
							   .wait_s = seconds_of(L, table, "wait"),
							   .gpu = model ? gpu_find_typed(model, err) : NULL};
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
	fprintf(stderr, terminal ? "\r\033[K%s" : "%s\n", text);
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
