/* Launch lists: checked, run; and whether a library routine is available. */
#include <stdlib.h>
#include <string.h>

#include "bind/internal.h"

enum { MOST_ITEMS = 1000, MOST_ARGS = 256 };

int bind_first_of_list(lua_State *L) {
	return luaL_testudata(L, 1, CLASS_DEVICE) ? 2 : 1;
}

int bind_after_list(lua_State *L, int first) {
	return lua_istable(L, first) ? first + 1 : first + 3;
}

static void keep_output(void *str, const char *text, size_t len) {
	enum { MOST = 1 << 20 }; /* a timed kernel prints once a sample */
	Str *s = str;
	if (s->len < MOST) str_addn(s, text, len);
}

/* The table of arguments at idx, checked against the kernel; the result stays in memory that `keep`, a table, holds. */
static void check_launch_args(lua_State *L, KernelBox *kernel, int idx, int arg, int keep, Launch *launch) {
	const lua_Unsigned n = lua_rawlen(L, idx);
	if (n > MOST_ARGS) bind_bad(L, arg, "a kernel cannot take %d arguments", n > INT32_MAX ? INT32_MAX : (int)n);
	luaL_checkstack(L, (int)n + 20, "too many arguments");
	const int from = lua_gettop(L) + 1;
	for (int i = 1; i <= (int)n; i++) lua_rawgeti(L, idx, i);
	launch->args = bind_check_args(L, kernel, from, (int)n, arg);
	launch->nargs = (uint32_t)n;
	launch->kernel = kernel->kernel;
	lua_rawseti(L, keep, (lua_Integer)lua_rawlen(L, keep) + 1);
	lua_settop(L, from - 1);
}

/* --- an item of a launch list ------------------------------------------------------------------------------------- */

typedef struct {
	int table, arg, keep;
	char in[24]; /* "item 2: " */
	ListArg *list;
	uint32_t i;
} ItemPlace;

static void check_owner(lua_State *L, const ItemPlace *p, DeviceBox *owner) {
	if (!p->list->owner) p->list->owner = owner;
	if (p->list->owner != owner) bind_bad(L, p->arg, "%sall items of a launch list must be of one device", p->in);
}

static void check_launch(lua_State *L, const ItemPlace *p) {
	static const char *const keys[] = {"kernel", "config", "args", NULL};
	const char *prefix = lua_pushfstring(L, "%sconfig.", p->in);
	LaunchItem *item = &p->list->items[p->i];
	bind_check_keys(L, p->table, p->arg, keys);
	lua_getfield(L, p->table, "kernel");
	KernelBox *kernel = luaL_testudata(L, -1, CLASS_KERNEL);
	if (!kernel) bind_bad(L, p->arg, "%skernel: a kernel expected, got %s", p->in, luaL_typename(L, -1));
	if (!kernel->kernel || !kernel->owner->device)
		bind_bad(L, p->arg, "%skernel: the kernel is closed with its device", p->in);
	check_owner(L, p, kernel->owner);
	p->list->kernels[p->i] = kernel;
	lua_pushvalue(L, -1);
	lua_rawsetp(L, p->keep, kernel);
	if (lua_getfield(L, p->table, "config") != LUA_TTABLE)
		bind_bad(L, p->arg, "%sconfig: {grid=, block=} expected, got %s", p->in, luaL_typename(L, -1));
	bind_check_config_at(L, -1, p->arg, prefix, &item->launch.config);
	if (lua_getfield(L, p->table, "args") != LUA_TTABLE)
		bind_bad(L, p->arg, "%sargs: a table of %s's arguments expected, got %s", p->in, kernel->info.name,
				 luaL_typename(L, -1));
	check_launch_args(L, kernel, lua_gettop(L), p->arg, p->keep, &item->launch);
}

static void check_buffer(lua_State *L, const ItemPlace *p, const LibraryInfo *info, uint32_t i) {
	LaunchItem *item = &p->list->items[p->i];
	lua_rawgeti(L, -1, (lua_Integer)i + 1);
	BufferBox *buffer = bind_test_buffer(L, -1);
	if (!buffer)
		bind_bad(L, p->arg, "%sargs[%u]: a buffer expected in %s {%s}, got %s", p->in, i + 1, info->name, info->args,
				 luaL_typename(L, -1));
	if (!buffer->open || !buffer->owner->device)
		bind_bad(L, p->arg, "%sargs[%u]: the %s is closed", p->in, i + 1, bind_buffer_text(L, buffer));
	check_owner(L, p, buffer->owner);
	item->library.buffers[i] = buffer->buffer;
	lua_pop(L, 1);
}

static void check_extent(lua_State *L, const ItemPlace *p, const LibraryInfo *info, uint32_t i) {
	const uint32_t at = info->nbuffers + i + 1;
	int whole;
	lua_rawgeti(L, -1, at);
	const lua_Integer v = lua_tointegerx(L, -1, &whole);
	if (lua_type(L, -1) != LUA_TNUMBER || !whole || v < 1 || v > INT32_MAX)
		bind_bad(L, p->arg, "%sargs[%u]: a whole number from 1 to 2147483647 expected in %s {%s}, got %s", p->in, at,
				 info->name, info->args, luaL_tolstring(L, -1, NULL));
	p->list->items[p->i].library.extents[i] = (uint64_t)v;
	lua_pop(L, 1);
}

static void check_library(lua_State *L, const ItemPlace *p) {
	static const char *const keys[] = {"library", "args", NULL};
	Err err = ERR_INIT;
	bind_check_keys(L, p->table, p->arg, keys);
	if (lua_getfield(L, p->table, "library") != LUA_TSTRING)
		bind_bad(L, p->arg, "%slibrary: a routine's name expected, got %s", p->in, luaL_typename(L, -1));
	const LibraryRoutine routine = library_find(lua_tostring(L, -1), &err);
	if (routine == LIBRARY_NONE) bind_bad(L, p->arg, "%slibrary: %s; %s", p->in, err.what, err.hint);
	const LibraryInfo *info = library_info(routine);
	p->list->items[p->i].library.routine = routine;
	if (lua_getfield(L, p->table, "args") != LUA_TTABLE || lua_rawlen(L, -1) != info->nbuffers + info->nextents)
		bind_bad(L, p->arg, "%sargs: {%s} expected for %s", p->in, info->args, info->name);
	for (uint32_t i = 0; i < info->nbuffers; i++) check_buffer(L, p, info, i);
	for (uint32_t i = 0; i < info->nextents; i++) check_extent(L, p, info, i);
}

/* The item's table is on top of the stack. */
static void check_item(lua_State *L, const ItemPlace *p) {
	const int top = lua_gettop(L);
	if (!lua_istable(L, top))
		bind_bad(L, p->arg, "%s{kernel=, config=, args=} or {library=, args=} expected, got %s", p->in,
				 luaL_typename(L, top));
	if (lua_getfield(L, p->table, "library") != LUA_TNIL)
		check_library(L, p);
	else
		check_launch(L, p);
	lua_settop(L, top);
}

/* --- a launch list ------------------------------------------------------------------------------------------------ */

static void *memory(lua_State *L, size_t bytes) {
	void *at = lua_newuserdatauv(L, bytes, 0);
	memset(at, 0, bytes);
	return at;
}

static void check_table(lua_State *L, int first, int keep, ListArg *list, bool single) {
	for (uint32_t i = 0; i < list->nitems; i++) {
		ItemPlace p = {.arg = first, .keep = keep, .list = list, .i = i};
		if (single)
			lua_pushvalue(L, first);
		else
			lua_rawgeti(L, first, (lua_Integer)i + 1);
		p.table = lua_gettop(L);
		if (!single) lua_pushfstring(L, "item %d: ", (int)i + 1);
		if (!single) strncpy(p.in, lua_tostring(L, -1), sizeof p.in - 1);
		lua_settop(L, p.table);
		check_item(L, &p);
		lua_pop(L, 1);
	}
}

ListArg bind_check_list(lua_State *L, int first, void (*print)(void *str, const char *text, size_t len)) {
	ListArg list = {.nitems = 1};
	const bool table = lua_istable(L, first);
	bool single = !table;
	if (table) {
		single = lua_getfield(L, first, "kernel") != LUA_TNIL || lua_getfield(L, first, "library") != LUA_TNIL;
		const lua_Unsigned n = single ? 1 : lua_rawlen(L, first);
		if (n < 1 || n > MOST_ITEMS)
			bind_bad(L, first,
					 "a launch list has 1 to %d items {kernel=, config=, args=} or {library=, args=}, this one has %d",
					 MOST_ITEMS, n > INT32_MAX ? INT32_MAX : (int)n);
		list.nitems = (uint32_t)n;
	} else {
		bind_check_kernel(L, first);
	}
	list.items = memory(L, list.nitems * sizeof *list.items);
	list.kernels = memory(L, list.nitems * sizeof *list.kernels);
	lua_newtable(L);
	const int keep = list.keep = lua_gettop(L);
	if (table) {
		check_table(L, first, keep, &list, single);
	} else {
		KernelBox *kernel = list.kernels[0] = bind_check_kernel(L, first);
		list.owner = kernel->owner;
		lua_pushvalue(L, first);
		lua_rawsetp(L, keep, kernel);
		bind_check_config(L, first + 1, &list.items[0].launch.config);
		luaL_checktype(L, first + 2, LUA_TTABLE);
		check_launch_args(L, kernel, first + 2, first + 2, keep, &list.items[0].launch);
	}
	list.output = bind_str(L);
	list.print = print ? print : keep_output;
	return list;
}

LaunchList bind_list(const ListArg *list) {
	return (LaunchList){.items = list->items, .nitems = list->nitems, .print = list->print, .user = list->output};
}

LaunchOutcome bind_run_list(lua_State *L, DeviceBox *owner, LaunchList list) {
	Answer answer = {0};
	bind_must(L, device_submit(bind_open(L, owner), &list, &(Ask){.mode = MODE_RUN}, &answer, bind_err()));
	const LaunchOutcome outcome = answer.outcome;
	answer_free(&answer);
	return outcome;
}

/* --- gpu.run, gpu.library ----------------------------------------------------------------------------------------- */

/* {quiet = true}: what kernels print is in the outcome alone. */
static bool is_quiet(lua_State *L, int options) {
	if (lua_isnoneornil(L, options)) return false;
	luaL_checktype(L, options, LUA_TTABLE);
	lua_getfield(L, options, "quiet");
	const bool quiet = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return quiet;
}

int bind_run(lua_State *L) {
	const int first = bind_first_of_list(L), options = bind_after_list(L, first);
	lua_settop(L, options);
	const ListArg list = bind_check_list(L, first, is_quiet(L, options) ? NULL : bind_print);
	const LaunchOutcome outcome = bind_run_list(L, list.owner, bind_list(&list));
	bind_push_outcome(L, &outcome, list.output);
	bind_note_emulated(L, list.owner);
	str_free(list.output);
	if (outcome.status != LAUNCH_INTERRUPTED) return 1;
	bind_push_outcome_error(L, &outcome, -1);
	return lua_error(L);
}

int bind_library(lua_State *L) {
	Err err = ERR_INIT;
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	const LibraryRoutine routine = library_find(luaL_checkstring(L, first), &err);
	if (routine == LIBRARY_NONE) return bind_bad(L, first, "%s; %s", err.what, err.hint);
	if (device_has_library(bind_open(L, owner), routine, &err)) {
		lua_pushboolean(L, true);
		return 1;
	}
	if (err.kind == ERR_INTERRUPTED) return bind_raise(L, &err);
	lua_pushnil(L);
	lua_pushstring(L, err.what);
	return 2;
}
