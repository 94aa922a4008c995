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

/* usage NULL: that of a field. */
static void document(lua_State *L, const char *prefix, const char *name, const char *usage, const char *help) {
	lua_pushfstring(L, "%c.%s", *prefix, name);
	lua_getfield(L, -2, "help");
	add_help(L, prefix, name, usage ? usage : lua_tostring(L, -2), help);
	lua_pop(L, 2);
}

static void document_all(lua_State *L, const char *prefix, const BindEntry *entries) {
	for (const BindEntry *e = entries; e->name; e++) document(L, prefix, e->name, e->usage, e->help);
}

/* gpu.run(list) as d:run(list). */
static void document_method(lua_State *L, const char *prefix, const BindEntry *function) {
	const char *usage = lua_pushfstring(L, "%c:%s", *prefix, strchr(function->usage, '.') + 1),
			   *help = lua_pushfstring(L, "As gpu.%s, on this device.", function->name);
	lua_rotate(L, -3, 2);
	document(L, prefix, function->name, usage, help);
	lua_rotate(L, -3, 1);
	lua_pop(L, 2);
}

void bind_functions(lua_State *L, const char *prefix, const BindEntry *entries) {
	for (const BindEntry *e = entries; e->name; e++) {
		if (!e->function) continue;
		lua_pushcfunction(L, e->function);
		lua_setfield(L, -2, e->name);
	}
	document_all(L, prefix, entries);
}

static const BindEntry *find(const BindEntry *entries, const char *name) {
	for (const BindEntry *e = entries; e && e->name; e++)
		if (strcmp(e->name, name) == 0) return e;
	return NULL;
}

/* False: there is no such field. */
static bool push_field(lua_State *L, const BindClass *class, void *box, const char *name) {
	for (const BindField *f = class->fields; f && f->key.key; f++) {
		if (strcmp(f->key.key, name) != 0) continue;
		const void *members = class->members ? class->members(L, box) : box;
		if (members) bind_push_member(L, &f->key, members);
		return members != NULL;
	}
	return find(class->entries, name) && class->field(L, box, name);
}

int bind_index(lua_State *L, const BindClass *class, void *box) {
	const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
	const BindEntry *e = find(class->entries, name);
	if (!e) e = find(class->methods, name);
	if (!e || !e->function) return push_field(L, class, box, name);
	lua_pushcfunction(L, e->function);
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

/* Names and help; on the stack the module, and the class's tables of methods and of fields, for completion. */
static void add_names(lua_State *L, const BindClass *class) {
	const int fields = lua_gettop(L), methods = fields - 1;
	lua_pushvalue(L, methods - 1);
	for (const BindEntry *e = class->entries; e->name; e++) {
		document(L, class->prefix, e->name, e->usage, e->help);
		if (e->function)
			lua_pushcfunction(L, e->function);
		else
			lua_pushboolean(L, true);
		lua_setfield(L, e->function ? methods : fields, e->name);
	}
	for (const BindEntry *e = class->methods; e && e->name; e++) {
		document_method(L, class->prefix, e);
		lua_pushcfunction(L, e->function);
		lua_setfield(L, methods, e->name);
	}
	for (const BindField *f = class->fields; f && f->key.key; f++) {
		document(L, class->prefix, f->key.key, NULL, f->help);
		lua_pushboolean(L, true);
		lua_setfield(L, fields, f->key.key);
	}
	lua_pop(L, 1);
}

void bind_class(lua_State *L, const BindClass *class) {
	char whole[32]; /* "buffer" */
	snprintf(whole, sizeof whole, "%.*s", (int)strcspn(class->prefix, ":"), class->prefix);
	document(L, "", whole, class->usage, class->help);
	luaL_newmetatable(L, class->metatable);
	set_metamethods(L, class);
	lua_pushvalue(L, -2);
	lua_newtable(L);
	lua_newtable(L);
	add_names(L, class);
	lua_setfield(L, -4, "__fields");
	lua_setfield(L, -3, "__methods");
	lua_pop(L, 2);
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
