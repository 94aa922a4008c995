/* Buffers: typed memory of a device. */
#include <string.h>

#include "bind/internal.h"
#include "device/transfer.h"

static void release(BufferBox *box) {
	if (!box->open) return;
	box->open = false;
	if (box->owner->device) device_free(box->owner->device, box->buffer, NULL); /* closed with the device otherwise */
}

static void check(lua_State *L, bool ok, const Err *err) {
	if (!ok) bind_raise(L, err);
}

static bool acquire(lua_State *L, BufferBox *box, Define define, Err *err) {
	return (box->mapped ? device_buffer_mapped : device_buffer)(bind_open(L, box->owner), box->type, box->count,
																box->name, define, &box->buffer, err);
}

/* memory = "mapped": the host's; "device", and nothing: the GPU's own. */
static bool check_mapped(lua_State *L, int arg) {
	static const char *const names[] = {"device", "mapped", NULL};
	return bind_check_name(L, arg, "memory", names, 0) == 1;
}

/* Options {name=, fill=, seed=, memory=}; leaves the fill's value on the stack. */
static void check_options(lua_State *L, int arg, BufferBox *box, uint64_t *seed) {
	static const char *const keys[] = {"name", "fill", "seed", "memory", NULL};
	*seed = 0;
	if (lua_isnoneornil(L, arg)) {
		lua_pushnil(L);
		return;
	}
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	lua_getfield(L, arg, "name");
	if (!lua_isnil(L, -1)) {
		if (lua_type(L, -1) != LUA_TSTRING) bind_bad(L, arg, "name: string expected, got %s", luaL_typename(L, -1));
		strncpy(box->name, lua_tostring(L, -1), sizeof box->name - 1);
	}
	lua_pop(L, 1);
	lua_getfield(L, arg, "seed");
	if (!lua_isnil(L, -1) && !lua_isinteger(L, -1)) bind_bad(L, arg, "seed: a whole number expected");
	*seed = (uint64_t)lua_tointeger(L, -1);
	lua_pop(L, 1);
	box->mapped = check_mapped(L, arg);
	lua_getfield(L, arg, "fill");
}

int bind_buffer(lua_State *L) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	Err err = ERR_INIT;
	uint64_t seed;
	Array *data = NULL;
	Define define = {.kind = DEFINE_SENTINEL};
	ElemType type = bind_check_type(L, first);
	size_t count = bind_check_count(L, first + 1, 1, type);
	lua_settop(L, first + 2);
	BufferBox *box = bind_box(L, sizeof *box, CLASS_BUFFER, 1);
	box->owner = owner;
	box->type = type;
	box->count = count;
	if (first == 2)
		lua_pushvalue(L, 1);
	else
		bind_gpu_device(L);
	lua_setiuservalue(L, -2, 1);
	check_options(L, first + 2, box, &seed);
	if (!lua_isnil(L, -1)) {
		lua_replace(L, first + 2); /* so that a complaint about the fill has the options' number */
		if (!bind_check_fill(L, first + 2, type, count, seed, &define, &data))
			define = (Define){.kind = DEFINE_SENTINEL};
	} else
		lua_pop(L, 1);
	bind_collect_for(L, count * elem_bytes(type));
	box->open = acquire(L, box, define, &err);
	if (!box->open) {
		lua_gc(L, LUA_GCCOLLECT); /* memory may hang on buffers that nothing refers to */
		box->open = acquire(L, box, define, &err);
	}
	check(L, box->open, &err);
	if (data) check(L, device_upload(bind_open(L, owner), box->buffer, 0, data->data, count, &err), &err);
	lua_pushvalue(L, first + 3);
	return 1;
}

/* --- elements ----------------------------------------------------------------------------------------------------------------- */

static const BindClass buffer_class;

static size_t check_index(lua_State *L, const BufferBox *box) {
	lua_Integer i = luaL_checkinteger(L, 2);
	if (i < 0 || (uint64_t)i >= box->count)
		luaL_error(L, "index %I is outside the buffer \"%s\": its elements are 0..%I", i, box->name,
				   (lua_Integer)box->count - 1);
	return (size_t)i;
}

static int buffer_index(lua_State *L) {
	Err err = ERR_INIT;
	char element[8];
	if (lua_type(L, 2) == LUA_TSTRING) return bind_index(L, &buffer_class, luaL_checkudata(L, 1, CLASS_BUFFER));
	BufferBox *box = bind_check_buffer(L, 1);
	size_t i = check_index(L, box);
	check(L, device_download(bind_open(L, box->owner), box->buffer, i, element, 1, &err), &err);
	bind_push_element(L, box->type, element);
	return 1;
}

static int buffer_newindex(lua_State *L) {
	Err err = ERR_INIT;
	char element[8];
	const char *why;
	BufferBox *box = bind_check_buffer(L, 1);
	size_t i = check_index(L, box);
	if (!bind_to_element(L, 3, box->type, element, &why)) luaL_error(L, "%s", why);
	check(L, device_upload(bind_open(L, box->owner), box->buffer, i, element, 1, &err), &err);
	return 0;
}

static int buffer_len(lua_State *L) {
	BufferBox *box = luaL_checkudata(L, 1, CLASS_BUFFER);
	lua_pushinteger(L, (lua_Integer)box->count);
	return 1;
}

static int buffer_gc(lua_State *L) {
	BufferBox *box = luaL_checkudata(L, 1, CLASS_BUFFER);
	if (box->owner) release(box);
	return 0;
}

static int buffer_tostring(lua_State *L) {
	BufferBox *box = luaL_checkudata(L, 1, CLASS_BUFFER);
	const char *state = !box->open || !box->owner->device ? " (closed)" : "";
	if (*box->name)
		lua_pushfstring(L, "buffer \"%s\" %s[%I]%s", box->name, elem_name(box->type), (lua_Integer)box->count, state);
	else
		lua_pushfstring(L, "buffer %s[%I]%s", elem_name(box->type), (lua_Integer)box->count, state);
	return 1;
}

/* --- methods ------------------------------------------------------------------------------------------------------------------ */

static int buffer_download(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	Err err = ERR_INIT;
	size_t first, n;
	bind_check_range(L, 2, box->count, &first, &n);
	Array *array = bind_new_array(L, box->type, n);
	if (n) check(L, device_download(bind_open(L, box->owner), box->buffer, first, array->data, n, &err), &err);
	return 1;
}

static int buffer_upload(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	Err err = ERR_INIT;
	Define define;
	Array *data = NULL;
	size_t first, n, room;
	lua_settop(L, 3);
	Array *array = luaL_testudata(L, 2, CLASS_ARRAY);
	if (!array) luaL_checktype(L, 2, LUA_TTABLE);
	n = array ? array->count : (size_t)lua_rawlen(L, 2);
	lua_pushnil(L); /* how many: to the end */
	bind_check_range(L, 3, box->count, &first, &room);
	if (n > room)
		return bind_bad(L, 2, "%zu elements do not fit the buffer \"%s\": %zu of %zu from element %zu on", n, box->name,
						room, box->count, first);
	bind_check_fill(L, 2, box->type, n, 0, &define, &data);
	if (n) check(L, device_upload(bind_open(L, box->owner), box->buffer, first, data->data, n, &err), &err);
	return 0;
}

static int buffer_fill(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	Err err = ERR_INIT;
	Define define;
	Array *data = NULL;
	luaL_checkany(L, 2);
	uint64_t seed = (uint64_t)luaL_optinteger(L, 3, 0);
	if (bind_check_fill(L, 2, box->type, box->count, seed, &define, &data))
		check(L, device_define(bind_open(L, box->owner), box->buffer, define, &err), &err);
	else
		check(L, device_upload(bind_open(L, box->owner), box->buffer, 0, data->data, box->count, &err), &err);
	return 0;
}

static int buffer_free(lua_State *L) {
	BufferBox *box = luaL_checkudata(L, 1, CLASS_BUFFER);
	if (box->owner) release(box);
	return 0;
}

static bool buffer_field(lua_State *L, void *data, const char *name) {
	BufferBox *box = data;
	if (strcmp(name, "name") == 0)
		lua_pushstring(L, box->name);
	else if (strcmp(name, "type") == 0)
		lua_pushstring(L, elem_name(box->type));
	else if (strcmp(name, "bytes") == 0)
		lua_pushinteger(L, (lua_Integer)box->count * (lua_Integer)elem_bytes(box->type));
	else if (strcmp(name, "mapped") == 0)
		lua_pushboolean(L, box->mapped);
	else { /* stale: a closed one has no content either */
		BufferInfo info = {.stale = true};
		if (box->open && box->owner->device) device_buffer_info(box->owner->device, box->buffer, &info, NULL);
		lua_pushboolean(L, info.stale);
	}
	return true;
}

static const BindEntry buffer_entries[] = {
	{"mismatch", bind_buffer_mismatch, "b:mismatch(want, {relative=, absolute=, columns=, most=}) -> nil or table",
	 "Compares the contents with a host array of the same type and length, as a:mismatch does of an array."},
	{"digest", bind_buffer_digest, "b:digest() -> nil or string",
	 "A digest of the contents, computed on the device: buffers of one device with equal digests have equal contents. "
	 "Nil\nwhere comparing the contents takes no longer."},
	{"download", buffer_download, "b:download(first, count) -> array",
	 "A copy of the elements on the host: all, or count of them from element first on."},
	{"upload", buffer_upload, "b:upload(data, first)",
	 "Writes an array or a table of numbers into the buffer, from element first (0) on."},
	{"fill", buffer_fill, "b:fill(fill, seed)",
	 "Sets every element: a number for all, \"iota\" (0, 1, 2...), \"random\" (floats in [0, 1), integers over "
	 "their\n"
	 "range, the same for the same seed), \"sentinel\" (NaN, -1), or an array or table of all elements."},
	{"free", buffer_free, "b:free()",
	 "Frees the memory now; later uses are errors. Otherwise the garbage collector frees it."},
	{"name", NULL, "b.name", "The name given, which faults and checkers report."},
	{"type", NULL, "b.type", "The element type, as in CUDA C++."},
	{"bytes", NULL, "b.bytes", "Its size in bytes."},
	{"mapped", NULL, "b.mapped", "True if it is host memory, which kernels access over the link (zero copy)."},
	{"stale", NULL, "b.stale",
	 "True if its contents were lost with a crashed worker and nothing has been written since."},
	{NULL, NULL, NULL, NULL}};

static const luaL_Reg buffer_meta[] = {
	{"__index", buffer_index}, {"__newindex", buffer_newindex}, {"__len", buffer_len}, {"__gc", buffer_gc},
	{"__close", buffer_gc},    {"__tostring", buffer_tostring}, {NULL, NULL}};

static const BindClass buffer_class = {
	.metatable = CLASS_BUFFER,
	.prefix = "buffer:",
	.usage = "b[i], #b",
	.help =
		"Typed memory of the device. #b is its length in elements; b[i] reads and writes element i, counted from 0.",
	.entries = buffer_entries,
	.metamethods = buffer_meta,
	.field = buffer_field};

void bind_buffer_class(lua_State *L) {
	bind_class(L, &buffer_class);
}
