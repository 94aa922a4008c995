/* Typed arrays of the host as Lua values. */
#include <string.h>

#include "bind/internal.h"
#include "device/backend/define.h"

/* Part by part, so that Ctrl-C ends it. */
static void fill(lua_State *L, Array *array, const Define *define) {
	enum { PART = 1 << 20 };
	for (size_t from = 0; from < array->count; from += PART) {
		size_t n = array->count - from < PART ? array->count - from : PART;
		define_elements(*define, array->type, from, n, array_at(array, from));
		bind_look(L);
	}
}

int bind_array(lua_State *L) {
	ElemType type = bind_check_type(L, 1);
	size_t count = bind_check_count(L, 2, 0, type);
	uint64_t seed = (uint64_t)luaL_optinteger(L, 4, 0);
	Array *array, *data = NULL;
	Define define;
	if (lua_isnoneornil(L, 3)) {
		bind_new_array(L, type, count);
		return 1;
	}
	if (bind_check_fill(L, 3, type, count, seed, &define, &data)) {
		array = bind_new_array(L, type, count);
		fill(L, array, &define);
		return 1;
	}
	array = bind_new_array(L, type, count);
	if (count) memcpy(array->data, data->data, count * elem_bytes(type));
	return 1;
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

static size_t check_index(lua_State *L, const Array *array) {
	lua_Integer i = luaL_checkinteger(L, 2);
	if (i < 0 || (uint64_t)i >= array->count)
		luaL_error(
			L, array->count ? "index %I is outside the array: its elements are 0..%I" : "index %I: the array is empty",
			i, (lua_Integer)array->count - 1);
	return (size_t)i;
}

static int array_error(lua_State *L) {
	const Array *got = bind_check_array(L, 1), *want = bind_check_array(L, 2);
	if (got->type != want->type || got->count != want->count)
		return bind_bad(L, 2, "an array of %zu %s expected, this one has %zu %s", got->count, elem_name(got->type),
						want->count, elem_name(want->type));
	lua_pushnumber(L, array_relative_error(got, want));
	return 1;
}

static bool array_field(lua_State *L, void *box, const char *name);
static int array_index(lua_State *L) {
	Array *array = bind_check_array(L, 1);
	if (lua_type(L, 2) == LUA_TSTRING) return bind_index(L, &bind_array_class, array);
	bind_push_element(L, array->type, array_at(array, check_index(L, array)));
	return 1;
}

static int array_newindex(lua_State *L) {
	Array *array = bind_check_array(L, 1);
	const char *why;
	if (!bind_to_element(L, 3, array->type, array_at(array, check_index(L, array)), &why)) luaL_error(L, "%s", why);
	return 0;
}

static int array_len(lua_State *L) {
	lua_pushinteger(L, (lua_Integer)bind_check_array(L, 1)->count);
	return 1;
}

static int array_gc(lua_State *L) {
	array_free(luaL_checkudata(L, 1, CLASS_ARRAY));
	return 0;
}

static int array_tostring(lua_State *L) {
	enum { SHOWN = 8 };
	Array *array = bind_check_array(L, 1);
	luaL_Buffer b;
	luaL_buffinit(L, &b);
	lua_pushfstring(L, "array %s[%I]", elem_name(array->type), (lua_Integer)array->count);
	luaL_addvalue(&b);
	for (size_t i = 0; i < array->count && i < SHOWN; i++) {
		char text[40];
		if (elem_is_float(array->type))
			snprintf(text, sizeof text, " %.6g", elem_get(array->type, array_at(array, i)));
		else
			snprintf(text, sizeof text, " %lld", (long long)elem_get_int(array->type, array_at(array, i)));
		luaL_addstring(&b, text);
	}
	if (array->count > SHOWN) luaL_addstring(&b, " ...");
	luaL_pushresult(&b);
	return 1;
}

/* --- methods ------------------------------------------------------------------------------------------------------ */

static int array_copy(lua_State *L) {
	Array *array = bind_check_array(L, 1);
	Array *copy = bind_new_array(L, array->type, array->count);
	if (array->count) memcpy(copy->data, array->data, array->count * elem_bytes(array->type));
	return 1;
}

static int transposed(lua_State *L) {
	Array *array = bind_check_array(L, 1);
	Err err = ERR_INIT;
	lua_Integer rows = luaL_checkinteger(L, 2), cols = luaL_checkinteger(L, 3);
	luaL_argcheck(L, rows >= 0, 2, "rows cannot be negative");
	luaL_argcheck(L, cols >= 0, 3, "columns cannot be negative");
	Array *result = bind_box(L, sizeof *result, CLASS_ARRAY, 0);
	bind_collect_for(L, array->count * elem_bytes(array->type));
	if (!array_transpose(array, (size_t)rows, (size_t)cols, result, &err)) return bind_bad(L, 2, "%s", err.what);
	return 1;
}

static int array_total(lua_State *L) {
	Array *array = bind_check_array(L, 1);
	if (elem_is_float(array->type))
		lua_pushnumber(L, array_sum(array));
	else
		lua_pushinteger(L, array_sum_int(array));
	return 1;
}

static int array_cycled(lua_State *L) {
	Array *array = bind_check_array(L, 1);
	size_t count = bind_check_count(L, 2, 0, array->type);
	Err err = ERR_INIT;
	Array *result = bind_box(L, sizeof *result, CLASS_ARRAY, 0);
	bind_collect_for(L, count * elem_bytes(array->type));
	if (!array_cycle(array, count, result, &err)) return bind_bad(L, 1, "%s", err.what);
	return 1;
}

static int array_slice(lua_State *L) {
	const Array *array = bind_check_array(L, 1);
	size_t first, n;
	bind_check_range(L, 2, array->count, &first, &n);
	Array *result = bind_new_array(L, array->type, n);
	if (n) memcpy(array_at(result, 0), array_at(array, first), n * elem_bytes(array->type));
	return 1;
}

static int array_gather(lua_State *L) {
	Array *array = bind_check_array(L, 1);
	size_t count = bind_check_count(L, 2, 0, array->type);
	luaL_checktype(L, 3, LUA_TFUNCTION);
	Array *result = bind_new_array(L, array->type, count);
	for (size_t i = 0; i < count; i++) {
		lua_pushvalue(L, 3);
		lua_pushinteger(L, (lua_Integer)i);
		lua_call(L, 1, 1);
		int whole;
		lua_Integer from = lua_tointegerx(L, -1, &whole);
		if (!whole || from < 0 || (uint64_t)from >= array->count)
			return luaL_error(L, "index(%I) is %s, outside 0..%I", (lua_Integer)i, luaL_tolstring(L, -1, NULL),
							  (lua_Integer)array->count - 1);
		memcpy(array_at(result, i), array_at(array, (size_t)from), elem_bytes(array->type));
		lua_pop(L, 1);
	}
	return 1;
}

static int array_differs(lua_State *L) {
	const Array *a = bind_check_array(L, 1), *b = bind_check_array(L, 2);
	if (a->type != b->type || a->count != b->count)
		return bind_bad(L, 2, "an array of %zu %s expected, this one has %zu %s", a->count, elem_name(a->type),
						b->count, elem_name(b->type));
	const size_t at = array_first_other(a, b);
	if (at == a->count) return 0;
	lua_pushinteger(L, (lua_Integer)at);
	return 1;
}

static bool array_field(lua_State *L, void *box, const char *name) {
	if (strcmp(name, "type") != 0) return false;
	lua_pushstring(L, elem_name(((Array *)box)->type));
	return true;
}

static const luaL_Reg array_methods[] = {{"copy", array_copy},
										 {"transpose", transposed},
										 {"sum", array_total},
										 {"cycle", array_cycled},
										 {"slice", array_slice},
										 {"gather", array_gather},
										 {"mismatch", bind_array_mismatch},
										 {"differs", array_differs},
										 {"relative_error", array_error},
										 {NULL, NULL}};
static const luaL_Reg array_others[] = {METAMETHODS(array, index, newindex, len), METHODS_END};

const BindClass bind_array_class = {.metatable = CLASS_ARRAY,
									.methods = array_methods,
									.named = (const char *const[]){"type", NULL},
									.release = array_gc,
									.text = array_tostring,
									.others = array_others,
									.field = array_field};
