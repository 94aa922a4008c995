/* gpu.device: the device that is used where none is named. */
#include <string.h>

#include "bind/bind.h"
#include "bind/internal.h"

static const char default_name_key[] = "gpulab.default_device";
static const char device_key[] = "gpulab.gpu.device";

void bind_default_device(lua_State *L, const char *name) {
	lua_pushstring(L, name && *name ? name : "auto");
	lua_setfield(L, LUA_REGISTRYINDEX, default_name_key);
}

int bind_open_named(lua_State *L, const char *name) {
	Err err = ERR_INIT;
	DeviceBox *box = bind_box(L, sizeof *box, CLASS_DEVICE, 0);
	if (!device_open(name, &box->device, &err)) return bind_raise(L, &err);
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
