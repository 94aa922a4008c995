/* Classes of userdata made from tables of rows. */
#include "bind/internal.h"
#include "bind/values/set.h"

#include <string.h>

void *bind_box(lua_State *L, size_t bytes, const char *metatable, int nuservalues) {
	void *box = lua_newuserdatauv(L, bytes, nuservalues);
	memset(box, 0, bytes);
	luaL_setmetatable(L, metatable);
	return box;
}

static lua_CFunction find(const luaL_Reg *functions, const char *name) {
	for (; functions && functions->name; functions++)
		if (strcmp(functions->name, name) == 0) return functions->func;
	return NULL;
}

/* False: there is no such field. */
static bool push_field(lua_State *L, const BindClass *class, void *box, const char *name) {
	for (const Key *k = class->keys; k && k->key; k++) {
		if (strcmp(k->key, name) != 0) continue;
		const void *members = class->members ? class->members(L, box) : (const char *)box + class->inside;
		if (members) bind_push_member(L, k, members);
		return members != NULL;
	}
	for (const char *const *n = class->named; n && *n; n++)
		if (strcmp(*n, name) == 0) return class->field(L, box, name);
	return false;
}

int bind_index(lua_State *L, const BindClass *class, void *box) {
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
	lua_CFunction method = find(class->methods, name);
	if (!method) method = find(class->functions, name);
	if (!method) return push_field(L, class, box, name);
	lua_pushcfunction(L, method);
	return 1;
}

static int class_index(lua_State *L) {
	const BindClass *class = lua_touserdata(L, lua_upvalueindex(1));
	return bind_index(L, class, luaL_checkudata(L, 1, class->metatable));
}

static void set_metamethods(lua_State *L, const BindClass *class) {
	const luaL_Reg common[] = {{"__gc", class->release}, {"__close", class->release}, {"__tostring", class->text}};
	lua_pushlightuserdata(L, (void *)class);
	lua_pushcclosure(L, class_index, 1);
	lua_setfield(L, -2, "__index");
	for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
		if (!common[i].func) continue;
		lua_pushcfunction(L, common[i].func);
		lua_setfield(L, -2, common[i].name);
	}
	if (class->others) luaL_setfuncs(L, class->others, 0);
	set_flag(L, "__metatable", false); /* getmetatable(box) shows nothing to break */
}

void bind_class(lua_State *L, const BindClass *class) {
	luaL_newmetatable(L, class->metatable);
	set_metamethods(L, class);
	lua_newtable(L); /* the names, for completion */
	if (class->methods) luaL_setfuncs(L, class->methods, 0);
	if (class->functions) luaL_setfuncs(L, class->functions, 0);
	lua_setfield(L, -2, "__methods");
	lua_newtable(L);
	for (const Key *k = class->keys; k && k->key; k++) set_flag(L, k->key, true);
	for (const char *const *n = class->named; n && *n; n++) set_flag(L, *n, true);
	lua_setfield(L, -2, "__fields");
	lua_pop(L, 1);
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
	box->type = type;
	bind_collect_for(L, count * elem_bytes(type));
	if (array_new(box, type, count, NULL)) return box;
	lua_gc(L, LUA_GCCOLLECT);
	bind_must(L, array_new(box, type, count, bind_err()));
	return box;
}
