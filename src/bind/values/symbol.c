/* Module variables: module:symbol(name). */
#include <string.h>

#include "bind/internal.h"

typedef struct {
	ModuleBox *module; /* a user value keeps it */
	uint32_t symbol;
	SymbolInfo info;
} SymbolBox;

static SymbolBox *check_symbol(lua_State *L, int arg) {
	SymbolBox *box = luaL_checkudata(L, arg, CLASS_SYMBOL);
	if (!box->module || !box->module->module || !box->module->owner->device)
		bind_bad(L, arg, "the variable \"%s\" is closed with its module", box->info.name);
	return box;
}

int bind_symbol(lua_State *L) {
	ModuleBox *module = luaL_checkudata(L, 1, CLASS_MODULE);
	if (!module->module || !module->owner->device) return bind_bad(L, 1, "the module is closed with its device");
	const char *name = luaL_checkstring(L, 2);
	SymbolBox *box = bind_box(L, sizeof *box, CLASS_SYMBOL, 1);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	bind_must(L, device_symbol(module->module, name, &box->symbol, bind_err()));
	box->module = module;
	device_symbol_info(module->module, box->symbol, &box->info);
	return 1;
}

/* --- moving data -------------------------------------------------------------------------------------------------- */

/* The element type a scalar has in PTX, which says no more of an array than its bytes. */
static bool type_of_scalar(PtxType type, ElemType *out) {
	switch (type) {
	case T_F32: *out = ELEM_F32; return true;
	case T_F64: *out = ELEM_F64; return true;
	case T_S32: *out = ELEM_I32; return true;
	case T_U32: *out = ELEM_U32; return true;
	case T_S64: *out = ELEM_I64; return true;
	case T_U64: *out = ELEM_U64; return true;
	case T_S16: *out = ELEM_I16; return true;
	case T_U16: *out = ELEM_U16; return true;
	default: return false;
	}
}

static ElemType check_type(lua_State *L, const SymbolBox *box, int arg) {
	ElemType type = ELEM_F32;
	if (!lua_isnoneornil(L, arg)) return bind_check_type(L, arg);
	if (type_of_scalar(box->info.type, &type) && elem_bytes(type) == box->info.bytes) return type;
	bind_bad(L, arg, "the element type expected, as in \"float\": the compiler keeps only that \"%s\" has %zu bytes",
			 box->info.name, box->info.bytes);
	return type;
}

static int symbol_upload(lua_State *L) {
	SymbolBox *box = check_symbol(L, 1);
	Define define;
	Array *data = NULL;
	lua_settop(L, 3);
	Array *array = luaL_testudata(L, 2, CLASS_ARRAY);
	if (array && !lua_isnil(L, 3) && bind_check_type(L, 3) != array->type)
		return bind_bad(L, 3, "the array is of type %s", elem_name(array->type));
	if (lua_type(L, 2) == LUA_TNUMBER) { /* a scalar */
		lua_createtable(L, 1, 0);
		lua_pushvalue(L, 2);
		lua_rawseti(L, -2, 1);
		lua_replace(L, 2);
	}
	if (!array && lua_type(L, 2) != LUA_TTABLE)
		return bind_bad(L, 2, "an array, a table of numbers or a number expected, got %s", luaL_typename(L, 2));
	const ElemType type = array ? array->type : check_type(L, box, 3);
	const size_t n = array ? array->count : (size_t)lua_rawlen(L, 2), room = box->info.bytes / elem_bytes(type);
	if (n > room)
		return bind_bad(L, 2, "%zu elements of type %s do not fit the variable \"%s\": it has room for %zu", n,
						elem_name(type), box->info.name, room);
	bind_check_fill(L, 2, type, n, 0, &define, &data);
	if (n)
		bind_must(L, device_symbol_upload(bind_open(L, box->module->owner), box->module->module, box->symbol, 0,
										  data->data, n * elem_bytes(type), bind_err()));
	return 0;
}

static int symbol_download(lua_State *L) {
	SymbolBox *box = check_symbol(L, 1);
	lua_settop(L, 3);
	const ElemType type = check_type(L, box, 2);
	const size_t room = box->info.bytes / elem_bytes(type);
	const lua_Integer n = luaL_optinteger(L, 3, (lua_Integer)room);
	if (n < 0 || (uint64_t)n > room)
		return bind_bad(L, 3, "0 to %zu elements of type %s expected, got %lld", room, elem_name(type), (long long)n);
	Array *array = bind_new_array(L, type, (size_t)n);
	if (n)
		bind_must(L, device_symbol_download(bind_open(L, box->module->owner), box->module->module, box->symbol, 0,
											array->data, (size_t)n * elem_bytes(type), bind_err()));
	return 1;
}

/* --- the class ---------------------------------------------------------------------------------------------------- */

/* stale: a closed one has no content either */
static bool symbol_field(lua_State *L, void *data, const char *name) {
	const SymbolBox *box = data;
	SymbolInfo info = {.stale = true};
	if (box->module && box->module->module && box->module->owner->device)
		device_symbol_info(box->module->module, box->symbol, &info);
	lua_pushboolean(L, info.stale);
	return true;
}

static int symbol_tostring(lua_State *L) {
	const SymbolBox *box = luaL_checkudata(L, 1, CLASS_SYMBOL);
	lua_pushfstring(L, "%s \"%s\", %I bytes", box->info.constant ? "__constant__" : "__device__", box->info.name,
					(lua_Integer)box->info.bytes);
	return 1;
}

static const luaL_Reg symbol_methods[] = {{"upload", symbol_upload}, {"download", symbol_download}, {NULL, NULL}};
static const Key symbol_keys[] = {KEYS(SymbolInfo, name, bytes, constant), KEYS_END};

const BindClass bind_symbol_class = {.metatable = CLASS_SYMBOL,
									 .methods = symbol_methods,
									 .named = (const char *const[]){"stale", NULL},
									 .keys = symbol_keys,
									 .text = symbol_tostring,
									 .inside = offsetof(SymbolBox, info),
									 .field = symbol_field};
