/* Textures and surfaces: gpu.texture, gpu.surface. */
#include <string.h>

#include "bind/internal.h"

static TextureBox *check_texture(lua_State *L, int arg) {
	TextureBox *box = luaL_testudata(L, arg, CLASS_TEXTURE);
	if (!box) box = luaL_checkudata(L, arg, CLASS_SURFACE);
	if (!box->open || !box->owner->device) bind_bad(L, arg, "the %s is closed", box->surface ? "surface" : "texture");
	return box;
}

TextureBox *bind_test_texture(lua_State *L, int arg) {
	TextureBox *box = luaL_testudata(L, arg, CLASS_TEXTURE);
	return box ? box : luaL_testudata(L, arg, CLASS_SURFACE);
}

/* --- options ------------------------------------------------------------------------------------------------------ */

static uint32_t check_extent(lua_State *L, int arg, const char *key, uint32_t absent) {
	int whole = 1;
	lua_Integer v = absent;
	if (lua_getfield(L, arg, key) != LUA_TNIL) v = lua_tointegerx(L, -1, &whole);
	if (!whole || v < (lua_getfield(L, arg, key) == LUA_TNIL ? 0 : 1) || v > UINT32_MAX)
		bind_bad(L, arg, "%s: a whole number from 1 on expected, got %s", key, luaL_tolstring(L, -1, NULL));
	lua_pop(L, 2);
	return (uint32_t)v;
}

static bool check_flag(lua_State *L, int arg, const char *key) {
	if (lua_getfield(L, arg, key) != LUA_TNIL && !lua_isboolean(L, -1))
		bind_bad(L, arg, "%s: true or false expected, got %s", key, luaL_typename(L, -1));
	bool on = lua_toboolean(L, -1);
	lua_pop(L, 1);
	return on;
}

/* One mode for all axes, or a table of one an axis. */
static void check_address(lua_State *L, int arg, TextureDesc *desc) {
	static const char *const modes[] = {"wrap", "clamp", "mirror", "border", NULL};
	if (lua_getfield(L, arg, "address") != LUA_TTABLE) {
		lua_pop(L, 1);
		int mode = bind_check_name(L, arg, "address", modes, ADDRESS_CLAMP);
		for (int i = 0; i < 3; i++) desc->address[i] = (AddressMode)mode;
		return;
	}
	const int table = lua_gettop(L);
	for (int i = 0; i < 3; i++) {
		const char *mode = lua_rawgeti(L, table, i + 1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
		int k = 0;
		desc->address[i] = ADDRESS_CLAMP;
		if (lua_isnil(L, -1) && i >= 1) continue;
		while (modes[k] && strcmp(modes[k], mode) != 0) k++;
		if (!modes[k]) bind_bad(L, arg, "address[%d]: one of wrap, clamp, mirror, border expected", i + 1);
		desc->address[i] = (AddressMode)k;
	}
	lua_settop(L, table - 1);
}

static void check_shape(lua_State *L, int arg, const BufferBox *buffer, TextureDesc *desc) {
	desc->type = buffer->type;
	desc->channels = check_extent(L, arg, "channels", 1);
	desc->height = check_extent(L, arg, "height", 0);
	desc->depth = check_extent(L, arg, "depth", 0);
	desc->layers = check_extent(L, arg, "layers", 0);
	const size_t all = buffer->count / desc->channels;
	const size_t line = all / (desc->height ? desc->height : 1) / texture_slices(desc);
	desc->width = check_extent(L, arg, "width", line > UINT32_MAX ? UINT32_MAX : (uint32_t)line);
}

static void check_texture_options(lua_State *L, int arg, const BufferBox *buffer, TextureDesc *desc) {
	static const char *const keys[] = {"width",  "height",     "depth", "layers", "channels", "address",
									   "filter", "normalized", "read",  "layout", NULL};
	static const char *const filters[] = {"point", "linear", NULL}, *const reads[] = {"element", "float", NULL},
							 *const layouts[] = {"array", "linear", NULL};
	bind_check_keys(L, arg, arg, keys);
	check_shape(L, arg, buffer, desc);
	check_address(L, arg, desc);
	desc->filter = bind_check_name(L, arg, "filter", filters, 0) == 1;
	desc->read_float = bind_check_name(L, arg, "read", reads, 0) == 1;
	desc->linear_memory = bind_check_name(L, arg, "layout", layouts, 0) == 1;
	desc->normalized = check_flag(L, arg, "normalized");
}

static void check_surface_options(lua_State *L, int arg, const BufferBox *buffer, TextureDesc *desc) {
	static const char *const keys[] = {"width", "height", "depth", "layers", "channels", NULL};
	bind_check_keys(L, arg, arg, keys);
	check_shape(L, arg, buffer, desc);
	desc->surface = true;
}

/* --- making ------------------------------------------------------------------------------------------------------- */

static int make(lua_State *L, bool surface) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	BufferBox *buffer = bind_check_buffer(L, first);
	TextureDesc desc = {0};
	Err err = ERR_INIT;
	lua_settop(L, first + 1);
	if (buffer->owner != owner) return bind_bad(L, first, "the buffer \"%s\" is of another device", buffer->name);
	if (lua_isnil(L, first + 1)) {
		lua_newtable(L);
		lua_replace(L, first + 1);
	}
	luaL_checktype(L, first + 1, LUA_TTABLE);
	if (surface)
		check_surface_options(L, first + 1, buffer, &desc);
	else
		check_texture_options(L, first + 1, buffer, &desc);
	TextureBox *box = bind_box(L, sizeof *box, surface ? CLASS_SURFACE : CLASS_TEXTURE, 1);
	box->owner = owner;
	box->surface = surface;
	box->desc = desc;
	box->source = buffer;
	lua_pushvalue(L, first); /* keeps the buffer, which keeps the device */
	lua_setiuservalue(L, -2, 1);
	box->open = device_texture(bind_open(L, owner), &desc, buffer->buffer, NULL, &box->texture, &err);
	if (!box->open) return bind_raise(L, &err);
	return 1;
}

int bind_texture(lua_State *L) {
	return make(L, false);
}

int bind_surface(lua_State *L) {
	return make(L, true);
}

/* --- methods ------------------------------------------------------------------------------------------------------ */

static int texture_update(lua_State *L) {
	TextureBox *box = check_texture(L, 1);
	Err err = ERR_INIT;
	if (!box->source->open) return bind_bad(L, 1, "the buffer it was made from was freed");
	if (!device_texture_update(bind_open(L, box->owner), box->texture, box->source->buffer, &err))
		return bind_raise(L, &err);
	return 0;
}

static int texture_download(lua_State *L) {
	TextureBox *box = check_texture(L, 1);
	Err err = ERR_INIT;
	const size_t count = texture_count(&box->desc);
	Array *array = bind_new_array(L, box->desc.type, count);
	if (!device_download(bind_open(L, box->owner), box->texture, 0, array->data, count, &err))
		return bind_raise(L, &err);
	return 1;
}

static int texture_free(lua_State *L) {
	TextureBox *box = bind_test_texture(L, 1);
	if (!box) luaL_checkudata(L, 1, CLASS_TEXTURE);
	if (box->open && box->owner->device) device_free(box->owner->device, box->texture, NULL);
	box->open = false;
	return 0;
}

static bool texture_field(lua_State *L, void *data, const char *name) {
	const TextureBox *box = data;
	const TextureDesc *d = &box->desc;
	BufferInfo info = {.stale = true};
	if (strcmp(name, "width") == 0)
		lua_pushinteger(L, d->width);
	else if (strcmp(name, "height") == 0 && d->height)
		lua_pushinteger(L, d->height);
	else if (strcmp(name, "depth") == 0 && d->depth)
		lua_pushinteger(L, d->depth);
	else if (strcmp(name, "layers") == 0 && d->layers)
		lua_pushinteger(L, d->layers);
	else if (strcmp(name, "channels") == 0)
		lua_pushinteger(L, d->channels);
	else if (strcmp(name, "type") == 0)
		lua_pushstring(L, elem_name(d->type));
	else if (strcmp(name, "stale") == 0) {
		if (box->open && box->owner->device) device_buffer_info(box->owner->device, box->texture, &info, NULL);
		lua_pushboolean(L, info.stale);
	} else
		return false;
	return true;
}

static int texture_tostring(lua_State *L) {
	const TextureBox *box = bind_test_texture(L, 1);
	if (!box) return luaL_error(L, "a texture or a surface expected");
	const TextureDesc *d = &box->desc;
	lua_pushfstring(L, "%s %s %d", box->surface ? "surface" : "texture", elem_name(d->type), (int)d->width);
	if (d->height) {
		lua_pushfstring(L, " x %d", (int)d->height);
		lua_concat(L, 2);
	}
	if (d->depth) {
		lua_pushfstring(L, " x %d", (int)d->depth);
		lua_concat(L, 2);
	}
	if (d->layers) {
		lua_pushfstring(L, " x %d layers", (int)d->layers);
		lua_concat(L, 2);
	}
	if (!box->open || !box->owner->device) {
		lua_pushliteral(L, " (closed)");
		lua_concat(L, 2);
	}
	return 1;
}

#define SHAPE_ENTRIES                                                                                                  \
	{"free", texture_free, "t:free()", "Frees the memory now; otherwise the garbage collector frees it."},             \
		{"width", NULL, "t.width", "Texels a row."}, {"height", NULL, "t.height", "Rows; nil: one dimension."},        \
		{"depth", NULL, "t.depth", "Slices; nil: at most two dimensions."},                                            \
		{"layers", NULL, "t.layers", "Layers of one or two dimensions; nil: none."},                                   \
		{"channels", NULL, "t.channels", "Components of a texel."},                                                    \
		{"type", NULL, "t.type", "The type of a component, as in CUDA C++."}, {                                        \
		"stale", NULL, "t.stale", "True if its contents were lost with a crashed worker."                              \
	}

static const BindEntry texture_entries[] = {
	{"update", texture_update, "t:update()", "Copies the buffer's current contents again: a texture is a copy."},
	{"download", texture_download, "t:download() -> array", "Its texels, row by row."},
	SHAPE_ENTRIES,
	{NULL, NULL, NULL, NULL}};

static const BindEntry surface_entries[] = {
	{"update", texture_update, "s:update()", "Copies the buffer's current contents again."},
	{"download", texture_download, "s:download() -> array", "Its texels, row by row, with what kernels wrote."},
	SHAPE_ENTRIES,
	{NULL, NULL, NULL, NULL}};

static const BindClass texture_class, surface_class;

static int texture_index(lua_State *L) {
	return bind_index(L, &texture_class, luaL_checkudata(L, 1, CLASS_TEXTURE));
}

static int surface_index(lua_State *L) {
	return bind_index(L, &surface_class, luaL_checkudata(L, 1, CLASS_SURFACE));
}

static const luaL_Reg texture_meta[] = {{"__index", texture_index},
										{"__gc", texture_free},
										{"__close", texture_free},
										{"__tostring", texture_tostring},
										{NULL, NULL}},
					  surface_meta[] = {{"__index", surface_index},
										{"__gc", texture_free},
										{"__close", texture_free},
										{"__tostring", texture_tostring},
										{NULL, NULL}};

static const BindClass texture_class = {
	.metatable = CLASS_TEXTURE,
	.prefix = "texture:",
	.usage = "gpu.texture(buffer, options)",
	.help = "A copy of a buffer that kernels read through texture hardware, as a cudaTextureObject_t.",
	.entries = texture_entries,
	.metamethods = texture_meta,
	.field = texture_field};

static const BindClass surface_class = {
	.metatable = CLASS_SURFACE,
	.prefix = "surface:",
	.usage = "gpu.surface(buffer, {width=, height=})",
	.help = "A copy of a buffer that kernels read and write by coordinates, as a cudaSurfaceObject_t.",
	.entries = surface_entries,
	.metamethods = surface_meta,
	.field = texture_field};

void bind_texture_class(lua_State *L) {
	bind_class(L, &texture_class);
	bind_class(L, &surface_class);
}
