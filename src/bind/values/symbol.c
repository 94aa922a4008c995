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

/* What the source declares the variable as. False: it does not say, or may mean another. */
static bool declared(const SymbolBox *box, LayoutField *out) {
	Layouts *layouts = bind_layouts(box->module);
	const char *name = box->info.name;
	bool doubtful = false;
	*out = (LayoutField){0};
	for (const char *at; (at = strstr(name, "::"));) name = at + 2;
	return layouts && !strchr(name, '<') && layouts_variable(layouts, name, strlen(name), out, &doubtful) &&
		   !doubtful && out->bytes * (out->count ? out->count : 1) == box->info.bytes;
}

/* float weights[4] takes no int: the kernel would read other numbers. */
static ElemType check_fitting(lua_State *L, const SymbolBox *box, int arg, ElemType type) {
	LayoutField field;
	ElemType scalar;
	if (!declared(box, &field)) {
		if (!type_of_scalar(box->info.type, &scalar) || elem_bytes(scalar) != box->info.bytes) return type;
		field = (LayoutField){.kind = LAYOUT_NUMBER, .elem = scalar};
	}
	if (elem_bytes(type) == 1 || bind_made_of(&field, type)) return type;
	const char *is = field.kind == LAYOUT_NUMBER ? elem_name(field.elem) : "a structure";
	if (field.kind == LAYOUT_POINTER) is = "a pointer, which { buffer } sets";
	if (field.kind == LAYOUT_BOOL) is = "bool";
	bind_bad(L, arg, "%s does not fit the variable \"%s\": it is %s", elem_name(type), box->info.name, is);
	return type;
}

static void upload(lua_State *L, const SymbolBox *box, const void *data, size_t bytes) {
	if (bytes)
		bind_must(L, device_symbol_upload(bind_open(L, box->module->owner), box->module->module, box->symbol, 0, data,
										  bytes, bind_err()));
}

static void upload_string(lua_State *L, const SymbolBox *box) {
	size_t len;
	const char *text = lua_tolstring(L, 2, &len);
	if (!lua_isnil(L, 3)) bind_bad(L, 3, "a string has its bytes, and no element type");
	if (len > box->info.bytes)
		bind_bad(L, 2, "a string of at most %zu bytes expected, this one has %zu", box->info.bytes, len);
	upload(L, box, text, len);
}

/* For a variable whose declaration is not known. */
static LayoutField any_pointers(lua_State *L, const SymbolBox *box) {
	const size_t n = lua_rawlen(L, 2);
	if (n > box->info.bytes / 8)
		bind_bad(L, 2, "%zu addresses do not fit the variable \"%s\": it has %zu bytes", n, box->info.name,
				 box->info.bytes);
	return (LayoutField){
		.name = box->info.name, .kind = LAYOUT_POINTER, .bytes = 8, .count = n, .extents = {n}, .nextents = 1};
}

/* A structure from the table of its fields, a pointer from { buffer }; an array from a list of such. */
static bool upload_declared(lua_State *L, const SymbolBox *box) {
	LayoutField field;
	const char *why;
	const bool references = bind_has_references(L, 2);
	if (!references && !lua_isnil(L, 3)) return false;
	if (!declared(box, &field)) {
		if (!references) return false;
		field = any_pointers(L, box);
	}
	if (field.kind != LAYOUT_CLASS && field.kind != LAYOUT_POINTER) return false;
	if (!lua_isnil(L, 3) && elem_bytes(bind_check_type(L, 3)) != 8)
		bind_bad(L, 3, "addresses of buffers are of \"unsigned long long\"");
	FieldsOut out = {.owner = box->module->owner,
					 .layouts = bind_layouts(box->module),
					 .bytes = lua_newuserdatauv(L, box->info.bytes + 1, 0),
					 .room = (uint32_t)(box->info.bytes / 8)};
	out.pointers = lua_newuserdatauv(L, (out.room + 1) * sizeof *out.pointers, 0);
	memset(out.bytes, 0, box->info.bytes);
	if (field.kind == LAYOUT_POINTER && !field.count) field.count = field.extents[field.nextents++] = 1;
	if (!bind_to_field(L, 2, &field, &out, &why)) bind_bad(L, 2, "%s", why);
	upload(L, box, out.bytes, field.bytes * (field.count ? field.count : 1));
	bind_must(L, device_symbol_upload_pointers(bind_open(L, box->module->owner), box->module->module, box->symbol,
											   out.pointers, out.npointers, bind_err()));
	return true;
}

static int symbol_upload(lua_State *L) {
	SymbolBox *box = check_symbol(L, 1);
	Define define;
	Array *data = NULL;
	lua_settop(L, 3);
	Array *array = luaL_testudata(L, 2, CLASS_ARRAY);
	if (array && !lua_isnil(L, 3) && bind_check_type(L, 3) != array->type)
		return bind_bad(L, 3, "the array is of type %s", elem_name(array->type));
	if (lua_type(L, 2) == LUA_TSTRING) {
		upload_string(L, box);
		return 0;
	}
	if (lua_type(L, 2) == LUA_TNUMBER) { /* a scalar */
		lua_createtable(L, 1, 0);
		lua_pushvalue(L, 2);
		lua_rawseti(L, -2, 1);
		lua_replace(L, 2);
	}
	if (!array && lua_type(L, 2) != LUA_TTABLE)
		return bind_bad(L, 2, "an array, a table, a string or a number expected, got %s", luaL_typename(L, 2));
	if (!array && upload_declared(L, box)) return 0;
	const ElemType type = check_fitting(L, box, array ? 2 : 3, array ? array->type : check_type(L, box, 3));
	const size_t n = array ? array->count : (size_t)lua_rawlen(L, 2), room = box->info.bytes / elem_bytes(type);
	if (n > room)
		return bind_bad(L, 2, "%zu elements of type %s do not fit the variable \"%s\": it has room for %zu", n,
						elem_name(type), box->info.name, room);
	bind_check_fill(L, 2, type, n, 0, &define, &data);
	upload(L, box, data->data, n * elem_bytes(type));
	return 0;
}

/* Without a type: the declared one, else bytes. */
static int symbol_load(lua_State *L) {
	SymbolBox *box = check_symbol(L, 1);
	const char *path = bind_check_path(L, 2);
	LayoutField field;
	size_t count;
	Holder *file;
	lua_settop(L, 3);
	ElemType type = ELEM_U8;
	if (!lua_isnil(L, 3))
		type = check_fitting(L, box, 3, bind_check_type(L, 3));
	else if (declared(box, &field) && field.kind == LAYOUT_NUMBER)
		type = field.elem;
	const size_t room = box->info.bytes / elem_bytes(type);
	const char *data = bind_read_elements(L, path, type, 1, room, &count, &file);
	if (count > room)
		return luaL_error(L, "%s has %I elements, and the variable \"%s\" room for %I", path, (lua_Integer)count,
						  box->info.name, (lua_Integer)room);
	upload(L, box, data, count * elem_bytes(type));
	bind_drop(file);
	lua_pushinteger(L, (lua_Integer)count);
	return 1;
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

static const luaL_Reg symbol_methods[] = {
	{"upload", symbol_upload}, {"load", symbol_load}, {"download", symbol_download}, {NULL, NULL}};
static const Key symbol_keys[] = {KEYS(SymbolInfo, name, bytes, constant), KEYS_END};

const BindClass bind_symbol_class = {.metatable = CLASS_SYMBOL,
									 .methods = symbol_methods,
									 .named = (const char *const[]){"stale", NULL},
									 .keys = symbol_keys,
									 .text = symbol_tostring,
									 .inside = offsetof(SymbolBox, info),
									 .field = symbol_field};
