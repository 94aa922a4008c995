/* Checking what Lua passed: every complaint names the argument, what was expected and what came. */
#include <math.h>
#include <string.h>

#include "base/text/nearest.h"
#include "bind/internal.h"

/* --- names of GPUs ------------------------------------------------------------------------------------------------ */

const Gpu *bind_find_gpu(lua_State *L, const char *name) {
	const Gpu *gpu = gpu_find_typed(name, bind_err());
	bind_must(L, gpu);
	return gpu;
}

size_t bind_check_models(lua_State *L, int arg, const Gpu *models[BIND_MODELS]) {
	const int type = lua_getfield(L, arg, "models");
	if (type != LUA_TNIL && type != LUA_TTABLE)
		bind_bad(L, arg, "models: a table of names expected, got %s", luaL_typename(L, -1));
	const lua_Unsigned n = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
	if (n > BIND_MODELS) bind_bad(L, arg, "models: at most %d names expected", BIND_MODELS);
	for (lua_Unsigned i = 0; i < n; i++) {
		if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TSTRING)
			bind_bad(L, arg, "models[%d]: string expected, got %s", (int)i + 1, luaL_typename(L, -1));
		models[i] = bind_find_gpu(L, lua_tostring(L, -1));
		lua_pop(L, 1);
	}
	lua_pop(L, 1);
	return n;
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

DeviceBox *bind_check_device(lua_State *L, int arg) {
	DeviceBox *box = luaL_checkudata(L, arg, CLASS_DEVICE);
	if (!box->device) bind_bad(L, arg, "the device is closed");
	return box;
}

Device *bind_open(lua_State *L, const DeviceBox *box) {
	if (!box->device) luaL_error(L, "the device was closed during the operation");
	return box->device;
}

DeviceBox *bind_device_arg(lua_State *L, int *first) {
	if (luaL_testudata(L, 1, CLASS_DEVICE)) {
		*first = 2;
		return bind_check_device(L, 1);
	}
	*first = 1;
	bind_gpu_device(L);
	DeviceBox *box = lua_touserdata(L, -1);
	lua_pop(L, 1); /* the registry keeps it */
	return box;
}

BufferBox *bind_test_buffer(lua_State *L, int arg) {
	return luaL_testudata(L, arg, CLASS_BUFFER);
}

PointerBox *bind_test_pointer(lua_State *L, int arg) {
	return luaL_testudata(L, arg, CLASS_POINTER);
}

BufferBox *bind_check_buffer(lua_State *L, int arg) {
	BufferBox *box = luaL_checkudata(L, arg, CLASS_BUFFER);
	if (!box->open) bind_bad(L, arg, "the %s is closed: it was freed", bind_buffer_text(L, box));
	if (!box->owner->device) bind_bad(L, arg, "the %s is closed with its device", bind_buffer_text(L, box));
	return box;
}

KernelBox *bind_check_kernel(lua_State *L, int arg) {
	KernelBox *box = luaL_checkudata(L, arg, CLASS_KERNEL);
	if (!box->kernel || !box->owner->device) bind_bad(L, arg, "the kernel is closed with its device");
	return box;
}

Array *bind_check_array(lua_State *L, int arg) {
	return luaL_checkudata(L, arg, CLASS_ARRAY);
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

ElemType bind_check_type(lua_State *L, int arg) {
	static const char *names[ELEM_TYPES + 1];
	const char *name = luaL_checkstring(L, arg);
	ElemType type;
	if (elem_parse(name, &type)) return type;
	for (int t = 0; t < ELEM_TYPES; t++) names[t] = elem_name((ElemType)t);
	const char *near = nearest(name, names);
	if (near) bind_bad(L, arg, "unknown element type '%.40s', did you mean '%s'?", name, near);
	bind_bad(L, arg,
			 "unknown element type '%.40s': use float, double, int, unsigned, long long, short, char, half, "
			 "bfloat16; of a structure: k.NAME.module:buffer(name, count)",
			 name);
	return ELEM_F32;
}

size_t bind_check_count(lua_State *L, int arg, size_t least, ElemType type) {
	lua_Integer count = luaL_checkinteger(L, arg);
	if (count < (lua_Integer)least)
		bind_bad(L, arg, "at least %zu elements expected, got %lld", least, (long long)count);
	if ((uint64_t)count > (uint64_t)PTRDIFF_MAX / elem_bytes(type))
		bind_bad(L, arg, "%lld elements of type %s are more than any memory holds", (long long)count, elem_name(type));
	return (size_t)count;
}

void bind_check_range(lua_State *L, int arg, size_t count, size_t *first, size_t *n) {
	lua_Integer from = luaL_optinteger(L, arg, 0);
	if (from < 0 || (uint64_t)from > count)
		bind_bad(L, arg, "first element %lld is outside 0..%zu", (long long)from, count);
	size_t rest = count - (size_t)from;
	lua_Integer many = luaL_optinteger(L, arg + 1, (lua_Integer)rest);
	if (many < 0 || (uint64_t)many > rest)
		bind_bad(L, arg + 1, "%lld elements from %lld on, but there are only %zu", (long long)many, (long long)from,
				 rest);
	*first = (size_t)from;
	*n = (size_t)many;
}

void bind_push_element(lua_State *L, ElemType type, const void *element) {
	if (elem_is_float(type))
		lua_pushnumber(L, elem_get(type, element));
	else
		lua_pushinteger(L, elem_get_int(type, element));
}

/* Every integer fits into 64 bits: Lua has no other way to write the upper half of the unsigned ones. */
static bool integer_fits(ElemType type, lua_Integer v) {
	int64_t element = 0;
	elem_set_int(type, &element, v);
	return elem_get_int(type, &element) == v;
}

static bool float_fits(ElemType type, double v) {
	double most = type == ELEM_F16    ? 65520.0
				  : type == ELEM_BF16 ? 0x1.ffp127
				  : type == ELEM_F32  ? 0x1.ffffffp127
									  : INFINITY;
	return isnan(v) || isinf(v) || fabs(v) < most;
}

bool bind_to_element(lua_State *L, int idx, ElemType type, void *element, const char **why) {
	if (lua_type(L, idx) != LUA_TNUMBER) {
		*why = lua_pushfstring(L, "number expected, got %s", luaL_typename(L, idx));
		return false;
	}
	if (elem_is_float(type)) {
		double v = lua_tonumber(L, idx);
		if (!float_fits(type, v)) {
			*why = lua_pushfstring(L, "%s does not fit %s", luaL_tolstring(L, idx, NULL), elem_name(type));
			return false;
		}
		elem_set(type, element, v);
		return true;
	}
	int whole;
	lua_Integer v = lua_tointegerx(L, idx, &whole);
	if (!whole || !integer_fits(type, v)) {
		*why = lua_pushfstring(L, "%s does not fit %s", luaL_tolstring(L, idx, NULL), elem_name(type));
		return false;
	}
	elem_set_int(type, element, v);
	return true;
}

/* --- fills -------------------------------------------------------------------------------------------------------- */

static bool named_fill(lua_State *L, int arg, uint64_t seed, Define *define) {
	static const char *const names[] = {"iota", "random", "sentinel", NULL};
	const char *name = lua_tostring(L, arg);
	if (strcmp(name, "iota") == 0)
		*define = (Define){.kind = DEFINE_IOTA};
	else if (strcmp(name, "random") == 0)
		*define = (Define){.kind = DEFINE_RANDOM, .seed = seed};
	else if (strcmp(name, "sentinel") == 0)
		*define = (Define){.kind = DEFINE_SENTINEL};
	else {
		const char *near = strcmp(name, "poison") ? nearest(name, names) : "sentinel"; /* its old name */
		bind_bad(L, arg, "unknown fill '%.40s'%s%s%s", name,
				 near ? ", did you mean '" : ": use a number, iota, random, sentinel", near ? near : "",
				 near ? "'?" : "");
	}
	return true;
}

static Array *table_data(lua_State *L, int arg, ElemType type, size_t count) {
	lua_Unsigned len = lua_rawlen(L, arg);
	if (len != count) bind_bad(L, arg, "a table of %zu numbers expected, this one has %zu", count, (size_t)len);
	Array *array = bind_new_array(L, type, count);
	for (size_t i = 0; i < count; i++) {
		const char *why;
		lua_geti(L, arg, (lua_Integer)i + 1);
		if (!bind_to_element(L, -1, type, array_at(array, i), &why)) bind_bad(L, arg, "[%zu]: %s", i + 1, why);
		lua_pop(L, 1);
	}
	return array;
}

/* Is the integer here this number, to its last digit? */
static bool is_exactly(lua_State *L, int arg, double number) {
	return number < 0x1p63 && (lua_Integer)number == lua_tointeger(L, arg);
}

bool bind_check_fill(lua_State *L, int arg, ElemType type, size_t count, uint64_t seed, Define *define, Array **data) {
	char element[8];
	const char *why;
	switch (lua_type(L, arg)) {
	case LUA_TSTRING: return named_fill(L, arg, seed, define);
	case LUA_TNUMBER:
		if (!bind_to_element(L, arg, type, element, &why)) bind_bad(L, arg, "%s", why);
		*define = (Define){.kind = DEFINE_FILL, .value = lua_tonumber(L, arg)};
		if (!lua_isinteger(L, arg) || is_exactly(L, arg, define->value)) return true;
		*data = bind_new_array(L, type, count); /* more digits than a double has */
		for (size_t i = 0; i < count; i++) memcpy(array_at(*data, i), element, elem_bytes(type));
		return false;
	case LUA_TTABLE: *data = table_data(L, arg, type, count); return false;
	default: break;
	}
	Array *array = luaL_testudata(L, arg, CLASS_ARRAY);
	if (!array)
		bind_bad(L, arg, "number, iota, random, sentinel, table or array expected, got %s", luaL_typename(L, arg));
	if (array->type != type || array->count != count)
		bind_bad(L, arg, "an array of %zu %s expected, this one has %zu %s", count, elem_name(type), array->count,
				 elem_name(array->type));
	lua_pushvalue(L, arg);
	*data = array;
	return false;
}

const char *bind_check_path(lua_State *L, int arg) {
	size_t len;
	const char *path = luaL_checklstring(L, arg, &len);
	if (!len || strlen(path) != len) bind_bad(L, arg, "a path expected");
	return path;
}
