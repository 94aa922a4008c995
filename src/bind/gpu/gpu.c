/* The module gpulab.gpu: devices, the GPUs known as data, and the functions of the other files. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "bind/internal.h"
#include "bind/values/set.h"

/* --- devices ------------------------------------------------------------------------------------------------------ */

static int gpu_open(lua_State *L) {
	return bind_open_named(L, luaL_checkstring(L, 1));
}

static int device_gc(lua_State *L) {
	DeviceBox *box = luaL_checkudata(L, 1, CLASS_DEVICE);
	Device *device = box->device;
	box->device = NULL;
	if (device) device_close(device);
	return 0;
}

static const void *info_of(lua_State *L, const void *data) {
	const DeviceBox *box = data;
	if (!box->device) luaL_error(L, "the device is closed");
	return device_info(box->device);
}

static bool device_field(lua_State *L, void *data, const char *name) {
	static const struct {
		const char *name;
		Capability can;
	} abilities[] = {{"measures", CAN_TIME}, {"emulates", CAN_EMULATE}, {"resizes_heap", CAN_RESIZE_HEAP}};
	const DeviceInfo *info = info_of(L, data);
	for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++) {
		if (strcmp(name, abilities[i].name) != 0) continue;
		lua_pushboolean(L, (info->can & abilities[i].can) != 0);
		return true;
	}
	if (strcmp(name, "model") == 0)
		lua_pushstring(L, info->gpu ? info->gpu->name : NULL);
	else
		lua_pushstring(L, nvrtc_version(NULL));
	return true;
}

static Device *named_device(lua_State *L) {
	DeviceBox *box = luaL_checkudata(L, 1, CLASS_DEVICE);
	if (!box->device) luaL_error(L, "the device is closed");
	return box->device;
}

static int device_ask_for(lua_State *L) {
	bind_must(L, device_ask(named_device(L), bind_err()));
	return 0;
}

/* "here"; "asked", seconds, place, all; or nil */
static int device_is_asked(lua_State *L) {
	DeviceAsked asked;
	bind_must(L, device_asked(named_device(L), &asked, bind_err()));
	if (!asked.here && !asked.asked) return 0;
	lua_pushstring(L, asked.here ? "here" : "asked");
	lua_pushnumber(L, asked.seconds);
	lua_pushinteger(L, asked.place);
	lua_pushinteger(L, asked.all);
	return 4;
}

static int device_withdraw(lua_State *L) {
	device_take_back(named_device(L));
	return 0;
}

static int device_tostring(lua_State *L) {
	DeviceBox *box = luaL_checkudata(L, 1, CLASS_DEVICE);
	if (!box->device) {
		lua_pushliteral(L, "device (closed)");
		return 1;
	}
	const DeviceInfo *info = device_info(box->device);
	lua_pushfstring(L, "device %s: %s, cc %d.%d, %d SMs", info->name, info->gpu_name, (int)info->cc / 10,
					(int)info->cc % 10, (int)info->sms);
	return 1;
}

/* What gpu does on gpu.device, any device has as a method. lua/gpulab/meta.lua documents all of it. */
static const luaL_Reg device_functions[] = {METHODS(bind, DEVICE_FUNCTIONS), METHODS_END};

static const luaL_Reg device_methods[] = {{"ask", device_ask_for},
										  {"asked", device_is_asked},
										  {"withdraw", device_withdraw},
										  {"close", device_gc},
										  {NULL, NULL}};
static const Key device_keys[] = {KEYS(DeviceInfo, name, backend),
								  KEY_AS(DeviceInfo, gpu_name, "gpu"),
								  KEYS(DeviceInfo, cc, sms, l2_bytes, memory_bytes),
								  KEYS_KNOWN(DeviceInfo, without_gpu, place),
								  KEYS(DeviceInfo, dram_gbps, driver, runtime),
								  KEYS_END};

static const BindClass device_class = {
	.metatable = CLASS_DEVICE,
	.methods = device_methods,
	.named = (const char *const[]){"resizes_heap", "measures", "emulates", "model", "nvrtc", NULL},
	.keys = device_keys,
	.functions = device_functions,
	.release = device_gc,
	.text = device_tostring,
	.members = info_of,
	.field = device_field};

/* --- what there is ------------------------------------------------------------------------------------------------ */

static void push_device(lua_State *L, const DeviceInfo *info) {
	static const Key keys[] = {KEYS(DeviceInfo, name, backend), KEY_KNOWN(DeviceInfo, without_gpu, "why"), KEYS_END};
	static const Key more_keys[] = {KEYS(DeviceInfo, cc, sms, memory_bytes, sandbox),
									KEY_AS(DeviceInfo, gpu_name, "gpu"), KEYS_END};
	bind_push_keys(L, keys, info);
	if (*info->without_gpu) return;
	bind_set_keys(L, more_keys, info);
	set_flag(L, "measures", (info->can & CAN_TIME) != 0);
}

/* Two lists: what can be opened, and GPUs that cannot. */
static int gpu_devices(lua_State *L) {
	size_t count = 0;
	Holder *holder = bind_hold(L, free);
	holder->data = device_list(&count);
	const DeviceInfo *infos = holder->data;
	lua_createtable(L, (int)count, 0);
	lua_newtable(L);
	for (size_t i = 0; i < count; i++) {
		const int list = *infos[i].without_gpu ? -1 : -2;
		push_device(L, &infos[i]);
		lua_rawseti(L, list - 1, (lua_Integer)lua_rawlen(L, list - 1) + 1);
	}
	bind_drop(holder);
	return 2;
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

/* The value on top of the stack: a number of bytes or seconds, a text as on the command line, false for the default. */
static bool set_limit(lua_State *L, LimitId id, Err *err) {
	switch (lua_type(L, -1)) {
	case LUA_TNUMBER: return limit_set(id, lua_tonumber(L, -1), err);
	case LUA_TSTRING: return limit_set_text(id, lua_tostring(L, -1), err);
	case LUA_TBOOLEAN:
		if (!lua_toboolean(L, -1)) return limit_set(id, 0, err);
		__attribute__((fallthrough));
	default: return err_set(err, ERR_USAGE, "%s: a number or a text expected", limit_row(id)->name);
	}
}

static int gpu_limits(lua_State *L) {
	LimitId id;
	const bool given = !lua_isnoneornil(L, 1);
	if (given) luaL_checktype(L, 1, LUA_TTABLE);
	for (lua_pushnil(L); given && lua_next(L, 1); lua_pop(L, 1)) {
		if (lua_type(L, -2) != LUA_TSTRING) return bind_bad(L, 1, "NAME = VALUE expected");
		bind_must(L, limit_find(lua_tostring(L, -2), &id, bind_err()) && set_limit(L, id, bind_err()));
	}
	bind_memory_begin(L);
	lua_createtable(L, 0, LIMITS);
	for (int i = 0; i < LIMITS; i++) set_number(L, limit_row((LimitId)i)->name, limit_of((LimitId)i));
	return 1;
}

/* An error object as the C core raises them, so that Lua code fails the same way and main finds the exit code. */
static int gpu_error(lua_State *L) {
	const char *kind = luaL_checkstring(L, 1), *message = luaL_checkstring(L, 2);
	if (bind_kind(kind) == ERR_NONE) return bind_bad(L, 1, "no kind of error is called '%.40s'", kind);
	bind_push_error(L, bind_kind(kind), message, luaL_optstring(L, 4, ""), luaL_optstring(L, 3, ""));
	return 1;
}

static int gpu_raise(lua_State *L) {
	gpu_error(L);
	return lua_error(L);
}

static const luaL_Reg gpu_functions[] = {
	{"array", bind_array},  {"lock", bind_lock},     {"open", gpu_open},    {"devices", gpu_devices},
	{"cards", bind_cards},  {"models", bind_models}, {"model", bind_model}, {"calibrate", bind_calibrate},
	{"limits", gpu_limits}, {"error", gpu_error},    {"raise", gpu_raise},  {NULL, NULL}};

/* gpu.device and gpu.help are made when they are first asked for. */
static int module_index(lua_State *L) {
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
	if (strcmp(name, "device") == 0) {
		bind_gpu_device(L);
		return 1;
	}
	if (strcmp(name, "help") != 0) return 0;
	bind_push_own(L, "require");
	lua_pushliteral(L, "gpulab.base.api");
	lua_call(L, 1, 1);
	lua_pushvalue(L, -1);
	lua_setfield(L, 1, name);
	return 1;
}

static int module_newindex(lua_State *L) {
	if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "device") == 0) {
		if (!luaL_testudata(L, 3, CLASS_DEVICE))
			return luaL_error(L, "gpu.device: a device expected, as gpu.open returns");
		lua_settop(L, 3);
		bind_set_gpu_device(L);
		return 0;
	}
	lua_rawset(L, 1);
	return 0;
}

int bind_gpu_module(lua_State *L) {
	static const BindClass *const classes[] = {
		&device_class,        &bind_buffer_class, &bind_pointer_class, &bind_array_class,   &bind_module_class,
		&bind_kernel_class,   &bind_symbol_class, &bind_texture_class, &bind_surface_class, &bind_tensor_map_class,
		&bind_stepping_class, &bind_inputs_class, &bind_kept_class,    &bind_raw_class};
	bind_error_class(L);
	luaL_newlib(L, gpu_functions);
	luaL_setfuncs(L, device_functions, 0);
	set_text(L, "version", GPULAB_VERSION);
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) bind_class(L, classes[i]);
	lua_createtable(L, 0, 3);
	lua_pushcfunction(L, module_index);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, module_newindex);
	lua_setfield(L, -2, "__newindex");
	lua_setmetatable(L, -2);
	return 1;
}
