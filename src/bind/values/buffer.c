/* Buffers: typed memory of a device. */
#include <string.h>

#include "bind/internal.h"
#include "compile/source/layout.h"
#include "device/transfer.h"

enum { MOST_VECTOR_BYTES = 32 };

static void release(BufferBox *box) {
	if (!box->open) return;
	box->open = false;
	if (box->owner->device) device_free(box->owner->device, box->buffer, NULL); /* closed with the device otherwise */
}

static bool acquire(lua_State *L, BufferBox *box, Define define, Err *err) {
	if (box->address)
		return device_buffer_at(bind_open(L, box->owner), box->address, box->type, box->count, box->name, define,
								&box->buffer, err);
	return (box->mapped ? device_buffer_mapped : device_buffer)(bind_open(L, box->owner), box->type, box->count,
																box->name, define, &box->buffer, err);
}

/* The names of variables that a typed line gives its buffers to, in their order: host.name_buffers. */
enum { MOST_TYPED = 16 };
static struct {
	char names[MOST_TYPED][sizeof((BufferBox *)0)->name];
	int n, next;
} typed;

int bind_name_buffers(lua_State *L) {
	typed.n = typed.next = 0;
	for (const int most = lua_gettop(L); typed.n < most && typed.n < MOST_TYPED; typed.n++)
		snprintf(typed.names[typed.n], sizeof typed.names[0], "%s", luaL_checkstring(L, typed.n + 1));
	return 0;
}

/* Options {name=, fill=, seed=, memory=, address=}; leaves the fill's value on the stack. */
static void check_options(lua_State *L, int arg, BufferBox *box, int64_t *seed) {
	static const char *const memories[] = {"device", "mapped", NULL}; /* mapped: the host's; device: the GPU's own */
	typedef struct {
		char name[sizeof box->name];
		int64_t seed, address;
		bool mapped;
	} Options;
	static const Key keys[] = {KEYS(Options, name, seed), KEY_AS(Options, mapped, "memory", .names = memories),
							   KEY_WHOLE(Options, address, 0, INT64_MAX), KEY_ALLOWED("fill"), KEYS_END};
	Options o = {0};
	bind_read_keys(L, arg, keys, &o);
	if (!*o.name && typed.next < typed.n) memcpy(o.name, typed.names[typed.next++], sizeof o.name);
	memcpy(box->name, o.name, sizeof box->name);
	box->mapped = o.mapped;
	box->address = (uint64_t)o.address;
	*seed = o.seed;
	if (lua_isnoneornil(L, arg))
		lua_pushnil(L);
	else
		lua_getfield(L, arg, "fill");
}

/* "float4" too: the type of its components, and how many they are. */
static ElemType check_element(lua_State *L, int arg, size_t *width) {
	ElemType type;
	const char *name = luaL_checkstring(L, arg);
	*width = 1;
	if (layout_vector(name, strlen(name), &type, width)) return type;
	return bind_check_type(L, arg);
}

static BufferBox *new_buffer(lua_State *L, DeviceBox *owner, ElemType type, size_t count, size_t width) {
	BufferBox *box = bind_box(L, sizeof *box, CLASS_BUFFER, BUFFER_KEPT);
	box->owner = owner;
	box->type = type;
	box->count = count;
	box->width = width;
	return box;
}

/* Memory may hang on buffers that nothing refers to. */
static void acquire_memory(lua_State *L, BufferBox *box, Define define) {
	bind_collect_for(L, box->count * elem_bytes(box->type));
	box->open = acquire(L, box, define, bind_err());
	if (!box->open && device_works(bind_open(L, box->owner))) {
		lua_gc(L, LUA_GCCOLLECT);
		box->open = acquire(L, box, define, bind_err());
	}
	bind_must(L, box->open);
}

int bind_buffer(lua_State *L) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	int64_t seed;
	Array *data = NULL;
	Define define = {.kind = DEFINE_SENTINEL};
	size_t width;
	ElemType type = check_element(L, first, &width);
	size_t count = bind_check_count(L, first + 1, 1, type);
	if (count > PTRDIFF_MAX / 8 / width)
		return bind_bad(L, first + 1, "%zu elements are more than any memory holds", count);
	count *= width;
	lua_settop(L, first + 2);
	BufferBox *box = new_buffer(L, owner, type, count, width);
	if (first == 2)
		lua_pushvalue(L, 1);
	else
		bind_gpu_device(L);
	lua_setiuservalue(L, -2, 1);
	check_options(L, first + 2, box, &seed);
	if (!lua_isnil(L, -1)) {
		lua_replace(L, first + 2); /* so that a complaint about the fill has the options' number */
		if (!bind_check_fill(L, first + 2, type, count, (uint64_t)seed, &define, &data))
			define = (Define){.kind = DEFINE_SENTINEL};
	} else
		lua_pop(L, 1);
	acquire_memory(L, box, define);
	if (data) bind_must(L, device_upload(bind_open(L, owner), box->buffer, 0, data->data, count, bind_err()));
	lua_pushvalue(L, first + 3);
	return 1;
}

/* --- m:buffer("S", count, options) -------------------------------------------------------------------------------- */

int bind_module_buffer(lua_State *L) {
	ModuleBox *module = luaL_checkudata(L, 1, CLASS_MODULE);
	if (!module->module || !module->owner->device) return bind_bad(L, 1, "the module is closed with its device");
	const char *name = luaL_checkstring(L, 2), *last = name, *why = NULL;
	for (const char *at; (at = strstr(last, "::"));) last = at + 2;
	const size_t count = bind_check_count(L, 3, 1, ELEM_F64);
	lua_settop(L, 4);
	const Layout *layout = bind_layout(module, last, strlen(last), &why);
	if (layout && !layout->name) return bind_bad(L, 2, "%s is a type of CUDA: gpu.buffer(\"%s\", count)", name, name);
	if (!layout || !bind_layout_is_right(L, 1, name, layout, &why))
		return bind_bad(L, 2, "the fields of %.60s are not known: %s. Take a buffer of \"char\" and b:upload(string)",
						name, why);
	if (count > (size_t)PTRDIFF_MAX / layout->bytes)
		return bind_bad(L, 3, "%zu structures are more than any memory holds", count);
	BufferBox *box = new_buffer(L, module->owner, ELEM_U8, count * layout->bytes, layout->bytes);
	lua_getiuservalue(L, 1, MODULE_DEVICE);
	lua_setiuservalue(L, -2, 1);
	lua_getiuservalue(L, 1, MODULE_LAYOUTS);
	lua_setiuservalue(L, -2, 2);
	box->layout = layout;
	box->layouts = module->layouts->data;
	Define define = {.kind = DEFINE_SENTINEL};
	int64_t seed;
	check_options(L, 4, box, &seed);
	lua_replace(L, 4); /* the fill, with the number of the options */
	const bool defined = bind_check_structures(L, 4, box, &define);
	acquire_memory(L, box, define);
	if (!defined) bind_upload_structures(L, 5, 4, 0, count);
	lua_pushvalue(L, 5);
	return 1;
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

static size_t elements(const BufferBox *box) {
	return box->count / box->width;
}

static size_t check_index(lua_State *L, const BufferBox *box) {
	lua_Integer i = luaL_checkinteger(L, 2);
	if (i < 0 || (uint64_t)i >= elements(box))
		luaL_error(L, "index %I is outside the %s: its elements are 0..%I", i, bind_buffer_text(L, box),
				   (lua_Integer)elements(box) - 1);
	return (size_t)i * box->width;
}

static void push_vector(lua_State *L, const BufferBox *box, const char *components) {
	lua_createtable(L, (int)box->width, 0);
	for (size_t i = 0; i < box->width; i++) {
		bind_push_element(L, box->type, components + i * elem_bytes(box->type));
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void check_vector(lua_State *L, const BufferBox *box, int idx, char *components) {
	const char *why;
	if (!lua_istable(L, idx) || lua_rawlen(L, idx) != box->width)
		luaL_error(L, "a table of %d numbers expected", (int)box->width);
	for (size_t i = 0; i < box->width; i++) {
		lua_rawgeti(L, idx, (lua_Integer)i + 1);
		if (!bind_to_element(L, -1, box->type, components + i * elem_bytes(box->type), &why)) luaL_error(L, "%s", why);
		lua_pop(L, 1);
	}
}

static int buffer_index(lua_State *L) {
	char element[MOST_VECTOR_BYTES];
	if (lua_type(L, 2) == LUA_TSTRING) return bind_index(L, &bind_buffer_class, luaL_checkudata(L, 1, CLASS_BUFFER));
	BufferBox *box = bind_check_buffer(L, 1);
	size_t i = check_index(L, box);
	if (box->layout) {
		bind_push_structures(L, box, i / box->width, 1, false);
		return 1;
	}
	bind_must(L, device_download(bind_open(L, box->owner), box->buffer, i, element, box->width, bind_err()));
	if (box->width == 1)
		bind_push_element(L, box->type, element);
	else
		push_vector(L, box, element);
	return 1;
}

static int buffer_newindex(lua_State *L) {
	char element[MOST_VECTOR_BYTES];
	const char *why;
	BufferBox *box = bind_check_buffer(L, 1);
	size_t i = check_index(L, box);
	if (box->layout) {
		bind_set_structure(L, 1, i / box->width, 3);
		return 0;
	}
	if (box->width > 1)
		check_vector(L, box, 3, element);
	else if (!bind_to_element(L, 3, box->type, element, &why))
		luaL_error(L, "%s", why);
	bind_must(L, device_upload(bind_open(L, box->owner), box->buffer, i, element, box->width, bind_err()));
	return 0;
}

static int buffer_len(lua_State *L) {
	BufferBox *box = luaL_checkudata(L, 1, CLASS_BUFFER);
	lua_pushinteger(L, box->width ? (lua_Integer)elements(box) : 0);
	return 1;
}

static int buffer_free(lua_State *L) {
	BufferBox *box = luaL_checkudata(L, 1, CLASS_BUFFER);
	if (box->owner) release(box);
	return 0;
}

/* "float", "float4". */
static const char *push_type(lua_State *L, const BufferBox *box) {
	static const char *const short_names[ELEM_TYPES] = {[ELEM_U32] = "uint",
														[ELEM_I64] = "longlong",
														[ELEM_U64] = "ulonglong",
														[ELEM_U16] = "ushort",
														[ELEM_U8] = "uchar"};
	if (box->layout) return lua_pushstring(L, box->layout->name);
	if (box->width <= 1) return lua_pushstring(L, elem_name(box->type));
	const char *name = short_names[box->type] ? short_names[box->type] : elem_name(box->type);
	return lua_pushfstring(L, "%s%d", name, (int)box->width);
}

static int buffer_tostring(lua_State *L) {
	BufferBox *box = luaL_checkudata(L, 1, CLASS_BUFFER);
	const char *state = !box->open || !box->owner->device ? " (closed)" : "", *type = push_type(L, box);
	const lua_Integer n = box->width ? (lua_Integer)elements(box) : 0;
	if (*box->name)
		lua_pushfstring(L, "buffer \"%s\" %s[%I]%s", box->name, type, n, state);
	else
		lua_pushfstring(L, "buffer %s[%I]%s", type, n, state);
	return 1;
}

/* --- methods ------------------------------------------------------------------------------------------------------ */

static int buffer_download(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	size_t first, n;
	bind_check_range(L, 2, elements(box), &first, &n);
	if (box->layout) {
		bind_push_structures(L, box, first, n, true);
		return 1;
	}
	first *= box->width;
	n *= box->width;
	Array *array = bind_new_array(L, box->type, n);
	if (n) bind_must(L, device_download(bind_open(L, box->owner), box->buffer, first, array->data, n, bind_err()));
	return 1;
}

/* b:upload(string, first): as string.pack makes it. */
static int upload_bytes(lua_State *L, const BufferBox *box) {
	size_t len, first, room;
	const char *text = lua_tolstring(L, 2, &len);
	const size_t bytes = elem_bytes(box->type), whole = bytes * box->width;
	lua_pushnil(L);
	bind_check_range(L, 3, elements(box), &first, &room);
	if (len % whole)
		return bind_bad(L, 2, "a string of whole elements of %zu bytes expected, this one has %zu bytes", whole, len);
	if (len / whole > room)
		return bind_bad(L, 2, "%zu elements do not fit the %s: %zu of %zu from element %zu on", len / whole,
						bind_buffer_text(L, box), room, elements(box), first);
	if (len)
		bind_must(
			L, device_upload(bind_open(L, box->owner), box->buffer, first * box->width, text, len / bytes, bind_err()));
	return 0;
}

bool bind_has_references(lua_State *L, int table) {
	const lua_Unsigned n = lua_rawlen(L, table);
	bool any = false;
	for (lua_Unsigned i = 1; i <= n && !any; i++) {
		any = lua_rawgeti(L, table, (lua_Integer)i) == LUA_TUSERDATA;
		lua_pop(L, 1);
	}
	return any;
}

/* b:upload({buffer, buffer:at(n), 0}, first): an array of pointers. */
static int upload_pointers(lua_State *L, const BufferBox *box) {
	const size_t n = (size_t)lua_rawlen(L, 2);
	size_t first, room;
	lua_pushnil(L);
	bind_check_range(L, 3, elements(box), &first, &room);
	if (elem_bytes(box->type) != 8 || elem_is_float(box->type) || box->width != 1)
		return bind_bad(L, 2, "pointers are elements of a buffer of \"unsigned long long\", this one has %s",
						elem_name(box->type));
	if (n > room)
		return bind_bad(L, 2, "%zu elements do not fit the %s: %zu from element %zu on", n, bind_buffer_text(L, box),
						room, first);
	for (size_t i = 0; i < n; i++) {
		ArgPointer pointer = {.at = (first + i) * 8};
		const char *why = NULL;
		lua_rawgeti(L, 2, (lua_Integer)i + 1);
		const bool refers = bind_to_reference(L, -1, box->owner, &pointer.buffer, &pointer.offset, &why);
		const uint64_t none = 0;
		if (why || (!refers && !(lua_isinteger(L, -1) && lua_tointeger(L, -1) == 0)))
			return bind_bad(L, 2, "[%zu]: a buffer or 0 expected, got %s", i + 1, why ? why : luaL_typename(L, -1));
		bind_keep(L, 1, first + i);
		Device *device = bind_open(L, box->owner);
		bind_must(L, refers ? device_upload_pointers(device, box->buffer, &pointer, 1, bind_err())
							: device_upload(device, box->buffer, first + i, &none, 1, bind_err()));
	}
	return 0;
}

static int buffer_upload(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	Define define;
	Array *data = NULL;
	size_t first, n, room;
	lua_settop(L, 3);
	Array *array = luaL_testudata(L, 2, CLASS_ARRAY);
	if (lua_type(L, 2) == LUA_TSTRING) return upload_bytes(L, box);
	if (!array) luaL_checktype(L, 2, LUA_TTABLE);
	if (!array && !box->layout && bind_has_references(L, 2)) return upload_pointers(L, box);
	n = array ? array->count : (size_t)lua_rawlen(L, 2);
	lua_pushnil(L); /* how many: to the end */
	bind_check_range(L, 3, elements(box), &first, &room);
	if (box->layout && !array && n <= room) {
		bind_upload_structures(L, 1, 2, first, n);
		return 0;
	}
	const size_t each = box->layout && !array ? 1 : box->width; /* of what the table has */
	if (n > room * each)
		return bind_bad(L, 2, "%zu elements do not fit the %s: %zu of %zu from element %zu on", n,
						bind_buffer_text(L, box), room * each, elements(box) * each, first * each);
	first *= box->width;
	bind_check_fill(L, 2, box->type, n, 0, &define, &data);
	if (n) bind_must(L, device_upload(bind_open(L, box->owner), box->buffer, first, data->data, n, bind_err()));
	return 0;
}

static int buffer_fill(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	Define define;
	Array *data = NULL;
	luaL_checkany(L, 2);
	uint64_t seed = (uint64_t)luaL_optinteger(L, 3, 0);
	if (box->layout) {
		bind_fill_structures(L, 1, 2);
		return 0;
	}
	if (bind_check_fill(L, 2, box->type, box->count, seed, &define, &data))
		bind_must(L, device_define(bind_open(L, box->owner), box->buffer, define, bind_err()));
	else
		bind_must(L, device_upload(bind_open(L, box->owner), box->buffer, 0, data->data, box->count, bind_err()));
	return 0;
}

/* b:at(n), b + n: what a kernel may be given in place of the buffer. */
static int buffer_at(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	const lua_Integer n = luaL_checkinteger(L, 2);
	if (n < 0 || (uint64_t)n > elements(box))
		return bind_bad(L, 2, "element %lld is outside the %s: its elements are 0..%zu", (long long)n,
						bind_buffer_text(L, box), elements(box) - 1);
	PointerBox *pointer = bind_box(L, sizeof *pointer, CLASS_POINTER, 1);
	lua_pushvalue(L, 1);
	lua_setiuservalue(L, -2, 1);
	pointer->buffer = box;
	pointer->offset = (size_t)n * box->width * elem_bytes(box->type);
	return 1;
}

static int pointer_tostring(lua_State *L) {
	const PointerBox *pointer = luaL_checkudata(L, 1, CLASS_POINTER);
	lua_pushfstring(L, "byte %I of the %s", (lua_Integer)pointer->offset, bind_buffer_text(L, pointer->buffer));
	return 1;
}

/* stale: a closed one has no content either */
static bool buffer_field(lua_State *L, void *data, const char *name) {
	BufferBox *box = data;
	BufferInfo info = {.stale = true};
	if (strcmp(name, "type") == 0)
		push_type(L, box);
	else if (strcmp(name, "bytes") == 0)
		lua_pushinteger(L, (lua_Integer)box->count * (lua_Integer)elem_bytes(box->type));
	else {
		if (box->open && box->owner->device) device_buffer_info(box->owner->device, box->buffer, &info, NULL);
		lua_pushboolean(L, info.stale);
	}
	return true;
}

static const luaL_Reg buffer_methods[] = {METHODS(bind_buffer, mismatch, digest, load, save),
										  METHODS(buffer, download, upload, at, fill, free), METHODS_END};
static const Key buffer_keys[] = {KEYS(BufferBox, name, mapped), KEYS_END};

static const luaL_Reg buffer_others[] = {METAMETHODS(buffer, index, newindex, len), {"__add", buffer_at}, METHODS_END};

const BindClass bind_pointer_class = {.metatable = CLASS_POINTER, .text = pointer_tostring};

const BindClass bind_buffer_class = {.metatable = CLASS_BUFFER,
									 .methods = buffer_methods,
									 .named = (const char *const[]){"type", "bytes", "stale", NULL},
									 .keys = buffer_keys,
									 .release = buffer_free,
									 .text = buffer_tostring,
									 .others = buffer_others,
									 .field = buffer_field};
