/* The GPUs known as data, and those derived of them. */
#include <string.h>

#include "bind/internal.h"
#include "bind/values/set.h"
#include "gpu/derive.h"

static void push_row(lua_State *L, const Gpu *gpu) {
	static const Key keys[] = {KEYS(Gpu, max_grid, max_block, register_unit_per_block, name, link, sources, calibrated),
							   KEYS_END};
	static const Key generation_keys[] = {KEYS(Generation, tesla_isa, specific_code, load_line), KEYS_END};
	lua_createtable(L, 0, (int)gpu_nfields + 10);
	for (size_t i = 0; i < gpu_nfields; i++) {
		const GpuField *f = &gpu_fields[i];
		const double value = gpu_field(gpu, f);
		if (gpu_field_is_whole(f))
			lua_pushinteger(L, (lua_Integer)value);
		else
			lua_pushnumber(L, value);
		lua_setfield(L, -2, f->name);
	}
	bind_set_keys(L, keys, gpu);
	bind_set_keys(L, generation_keys, gpu->generation);
	set_text(L, "base", gpu->base ? gpu->base->name : NULL);
}

int bind_models(lua_State *L) {
	lua_Integer n = 0;
	const Gpu *gpu;
	lua_newtable(L);
	for (size_t i = 0; (gpu = gpu_at(i)); i++) {
		push_row(L, gpu);
		lua_rawseti(L, -2, ++n);
	}
	for (size_t i = 0; (gpu = gpu_derived_at(i)); i++) {
		push_row(L, gpu);
		lua_rawseti(L, -2, ++n);
	}
	return 1;
}

int bind_cards(lua_State *L) {
	const Gpu *gpu;
	lua_newtable(L);
	for (size_t i = 0; (gpu = gpu_card_at(i)); i++) {
		lua_pushstring(L, gpu->name);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* models[name], where that is no key: another name of a GPU that is one. */
static int by_other_name(lua_State *L) {
	Err err = ERR_INIT;
	const Gpu *gpu = lua_type(L, 2) == LUA_TSTRING ? gpu_find(lua_tostring(L, 2), &err) : NULL;
	lua_pushstring(L, gpu ? gpu->name : NULL);
	lua_rawget(L, 1);
	return 1;
}

void bind_set_models(lua_State *L) {
	lua_createtable(L, 0, 1);
	lua_pushcfunction(L, by_other_name);
	lua_setfield(L, -2, "__index");
	lua_setmetatable(L, -2);
	lua_setfield(L, -2, "models");
}

/* --- gpu.model ---------------------------------------------------------------------------------------------------- */

enum { MOST_CHANGES = 48 };

/* Raises for an unknown key, with a suggestion. */
static void check_names(lua_State *L, const char *first, const char *second) {
	const char *names[MOST_CHANGES + 16];
	size_t n = 0;
	for (; n < gpu_nfields; n++) names[n] = gpu_fields[n].name;
	names[n++] = first;
	names[n++] = second;
	names[n] = NULL;
	bind_check_keys(L, 1, 1, names);
}

/* The string at t[key], NULL for none; it stays on the stack. */
static const char *text_field(lua_State *L, const char *key) {
	const int type = lua_getfield(L, 1, key);
	if (type == LUA_TNIL) return NULL;
	if (type != LUA_TSTRING) bind_bad(L, 1, "%s: string expected, got %s", key, luaL_typename(L, -1));
	if (strlen(lua_tostring(L, -1)) != lua_rawlen(L, -1)) bind_bad(L, 1, "%s: it holds a zero byte", key);
	return lua_tostring(L, -1);
}

/* In the order of the values, so that a default name does not depend on that of the table. */
static size_t read_changes(lua_State *L, FieldChange *changes) {
	size_t n = 0;
	for (size_t i = 0; i < gpu_nfields; i++) {
		const GpuField *f = &gpu_fields[i];
		const int type = lua_getfield(L, 1, f->name);
		if (type != LUA_TNIL && type != LUA_TNUMBER)
			bind_bad(L, 1, "%s: number expected, got %s", f->name, luaL_typename(L, -1));
		if (type == LUA_TNUMBER && n < MOST_CHANGES) changes[n++] = (FieldChange){f, lua_tonumber(L, -1)};
		lua_pop(L, 1);
	}
	return n;
}

int bind_model(lua_State *L) {
	if (lua_type(L, 1) == LUA_TSTRING) {
		push_row(L, bind_find_gpu(L, lua_tostring(L, 1)));
		return 1;
	}
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	check_names(L, "base", "name");
	const char *base = text_field(L, "base"), *name = text_field(L, "name");
	if (!base) return bind_bad(L, 1, "base: the name of a GPU expected, as in gpu.model{base=\"GTX 280\", banks=32}");
	FieldChange changes[MOST_CHANGES];
	const size_t n = read_changes(L, changes);
	const Gpu *gpu = gpu_derive(bind_find_gpu(L, base), name, changes, n, bind_err());
	bind_must(L, gpu);
	push_row(L, gpu);
	return 1;
}

int bind_calibrate(lua_State *L) {
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_settop(L, 1);
	check_names(L, "gpu", "gpu");
	const char *name = text_field(L, "gpu");
	if (!name)
		return bind_bad(L, 1, "gpu: the name of a GPU expected, as in gpu.calibrate{gpu=\"H200\", copy_gbps=4300}");
	FieldChange changes[MOST_CHANGES];
	const size_t n = read_changes(L, changes);
	bind_must(L, gpu_calibrate(name, changes, n, bind_err()));
	push_row(L, bind_find_gpu(L, name));
	return 1;
}
