/* Classes of userdata made from tables of rows, each row with its own help. */
#include "bind/internal.h"
#include "bind/values/set.h"

#include <string.h>

void *bind_box(lua_State *L, size_t bytes, const char *metatable, int nuservalues) {
	void *box = lua_newuserdatauv(L, bytes, nuservalues);
	memset(box, 0, bytes);
	luaL_setmetatable(L, metatable);
	return box;
}

/* help[key] = {usage=, help=}, the help table on top of the stack */
static void add_help(lua_State *L, const char *prefix, const char *name, const char *usage, const char *help) {
	lua_pushfstring(L, "%s%s", prefix, name);
	lua_createtable(L, 0, 2);
	set_text(L, "usage", usage);
	set_text(L, "help", help);
	lua_settable(L, -3);
}

void bind_document(lua_State *L, const char *prefix, const BindEntry *entries) {
	lua_getfield(L, -1, "help");
	for (const BindEntry *e = entries; e->name; e++) add_help(L, prefix, e->name, e->usage, e->help);
	lua_pop(L, 1);
}

void bind_class(lua_State *L, const BindClass *class) {
	luaL_newmetatable(L, class->metatable);
	lua_createtable(L, 0, 8); /* methods: looked up by bind_index, listed by completion */
	lua_createtable(L, 0, 8); /* names of fields, for completion */
	for (const BindEntry *e = class->entries; e->name; e++) {
		if (e->function)
			lua_pushcfunction(L, e->function);
		else
			lua_pushboolean(L, true);
		lua_setfield(L, e->function ? -3 : -2, e->name);
	}
	lua_setfield(L, -3, "__fields");
	lua_setfield(L, -2, "__methods");
	if (class->metamethods) luaL_setfuncs(L, class->metamethods, 0);
	lua_pushboolean(L, false); /* getmetatable(box) shows nothing to break */
	lua_setfield(L, -2, "__metatable");
	lua_pop(L, 1);
	bind_document(L, class->prefix, class->entries);
	lua_getfield(L, -1, "help");
	char whole[64]; /* the class itself: "buffer" */
	size_t len = strcspn(class->prefix, ":");
	lua_pushlstring(L, class->prefix, len);
	strncpy(whole, lua_tostring(L, -1), sizeof whole - 1);
	whole[sizeof whole - 1] = '\0';
	lua_pop(L, 1);
	add_help(L, "", whole, class->usage, class->help);
	lua_pop(L, 1);
}

int bind_index(lua_State *L, const BindClass *class, void *box) {
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : NULL;
	if (!name) return 0;
	for (const BindEntry *e = class->entries; e->name; e++) {
		if (strcmp(e->name, name) != 0) continue;
		if (e->function)
			lua_pushcfunction(L, e->function);
		else if (!class->field(L, box, name))
			lua_pushnil(L);
		return 1;
	}
	return 0;
}

/* --- held memory -------------------------------------------------------------------------------------------------- */

#define CLASS_HOLDER "gpulab.holder"

void bind_drop(Holder *holder) {
	void *data = holder->data;
	holder->data = NULL;
	if (data) holder->free(data);
}

static int holder_gc(lua_State *L) {
	bind_drop(lua_touserdata(L, 1));
	return 0;
}

Holder *bind_hold(lua_State *L, void (*release)(void *data)) {
	Holder *holder = lua_newuserdatauv(L, sizeof *holder, 0);
	*holder = (Holder){.data = NULL, .free = release};
	if (luaL_newmetatable(L, CLASS_HOLDER)) {
		lua_pushcfunction(L, holder_gc);
		lua_setfield(L, -2, "__gc");
	}
	lua_setmetatable(L, -2);
	return holder;
}

static int str_gc(lua_State *L) {
	str_free(lua_touserdata(L, 1));
	return 0;
}

Str *bind_str(lua_State *L) {
	Str *str = lua_newuserdatauv(L, sizeof *str, 0);
	*str = (Str){0};
	if (luaL_newmetatable(L, "gpulab.str")) {
		lua_pushcfunction(L, str_gc);
		lua_setfield(L, -2, "__gc");
	}
	lua_setmetatable(L, -2);
	return str;
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

void bind_collect_for(lua_State *L, size_t bytes) {
	size_t kilobytes = bytes / 1024;
	if (kilobytes) lua_gc(L, LUA_GCSTEP, kilobytes > 1 << 20 ? 1 << 20 : (int)kilobytes);
}

Array *bind_new_array(lua_State *L, ElemType type, size_t count) {
	Array *box = bind_box(L, sizeof *box, CLASS_ARRAY, 0);
	Err err = ERR_INIT;
	box->type = type;
	bind_collect_for(L, count * elem_bytes(type));
	if (array_new(box, type, count, &err)) return box;
	lua_gc(L, LUA_GCCOLLECT);
	if (!array_new(box, type, count, &err)) bind_raise(L, &err);
	return box;
}

lua_CFunction bind_replace(lua_State *L, const char *name, lua_CFunction function) {
	lua_getfield(L, -1, name);
	lua_CFunction before = lua_tocfunction(L, -1);
	lua_pop(L, 1);
	lua_pushcfunction(L, function);
	lua_setfield(L, -2, name);
	return before;
}
