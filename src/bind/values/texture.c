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

static const char *const address_modes[] = {"wrap", "clamp", "mirror", "border", NULL},
						 *const filters[] = {"point", "linear", NULL}, *const reads[] = {"element", "float", NULL},
						 *const layouts[] = {"array", "linear", NULL};

#define SHAPE_KEYS                                                                                                     \
	KEY_WHOLE(TextureDesc, width, 1, UINT32_MAX), KEY_WHOLE(TextureDesc, height, 1, UINT32_MAX),                       \
		KEY_WHOLE(TextureDesc, depth, 1, UINT32_MAX), KEY_WHOLE(TextureDesc, layers, 1, UINT32_MAX),                   \
		KEY_WHOLE(TextureDesc, channels, 1, UINT32_MAX), KEYS(TextureDesc, cube)

static const Key surface_keys[] = {SHAPE_KEYS, KEYS_END};
static const Key texture_keys[] = {SHAPE_KEYS,
								   KEY_NAME(TextureDesc, address, address_modes),
								   KEY_NAME(TextureDesc, filter, filters),
								   KEY_AS(TextureDesc, read_float, "read", .names = reads),
								   KEY_AS(TextureDesc, linear_memory, "layout", .names = layouts),
								   KEYS(TextureDesc, normalized, seamless),
								   KEYS_END};

static uint32_t root(size_t square) {
	uint32_t r = 0;
	while (r < UINT16_MAX && (size_t)(r + 1) * (r + 1) <= square) r++;
	return r;
}

static TextureDesc check_options(lua_State *L, int arg, const BufferBox *buffer, bool surface) {
	TextureDesc desc = {.surface = surface, .type = buffer->type, .channels = 1};
	for (int i = 0; i < 3 && !surface; i++) desc.address[i] = ADDRESS_CLAMP;
	bind_read_keys(L, arg, surface ? surface_keys : texture_keys, &desc);
	const size_t slices = (desc.depth    ? desc.depth
						   : desc.layers ? desc.layers
										 : 1) *
						  (size_t)(desc.cube ? CUBE_FACES : 1);
	const size_t row = buffer->count / desc.channels / (desc.height ? desc.height : 1) / slices;
	if (desc.cube && !desc.width && !desc.height) desc.width = root(row);
	if (!desc.width) desc.width = row > UINT32_MAX ? UINT32_MAX : (uint32_t)row;
	if (desc.cube && !desc.height) desc.height = desc.width;
	if (desc.cube) desc.normalized = true; /* a direction has no length */
	return desc;
}

/* --- making ------------------------------------------------------------------------------------------------------- */

static int make(lua_State *L, bool surface) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	BufferBox *buffer = bind_check_buffer(L, first);
	lua_settop(L, first + 1);
	if (buffer->owner != owner) return bind_bad(L, first, "the %s is of another device", bind_buffer_text(L, buffer));
	const TextureDesc desc = check_options(L, first + 1, buffer, surface);
	TextureBox *box = bind_box(L, sizeof *box, surface ? CLASS_SURFACE : CLASS_TEXTURE, 1);
	box->owner = owner;
	box->surface = surface;
	box->desc = desc;
	box->source = buffer;
	lua_pushvalue(L, first); /* keeps the buffer, which keeps the device */
	lua_setiuservalue(L, -2, 1);
	box->open = device_texture(bind_open(L, owner), &desc, buffer->buffer, NULL, &box->texture, bind_err());
	bind_must(L, box->open);
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
	if (!box->source->open) return bind_bad(L, 1, "the buffer it was made from was freed");
	bind_must(L, device_texture_update(bind_open(L, box->owner), box->texture, box->source->buffer, bind_err()));
	return 0;
}

static int texture_download(lua_State *L) {
	TextureBox *box = check_texture(L, 1);
	const size_t count = texture_count(&box->desc);
	Array *array = bind_new_array(L, box->desc.type, count);
	bind_must(L, device_download(bind_open(L, box->owner), box->texture, 0, array->data, count, bind_err()));
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
	BufferInfo info = {.stale = true};
	if (strcmp(name, "type") == 0) {
		lua_pushstring(L, elem_name(box->desc.type));
		return true;
	}
	if (box->open && box->owner->device) device_buffer_info(box->owner->device, box->texture, &info, NULL);
	lua_pushboolean(L, info.stale);
	return true;
}

static int texture_tostring(lua_State *L) {
	const TextureBox *box = bind_test_texture(L, 1);
	if (!box) return luaL_error(L, "a texture or a surface expected");
	const TextureDesc *d = &box->desc;
	Str *text = bind_str(L);
	str_addf(text, "%s %s %u", box->surface ? "surface" : "texture", elem_name(d->type), d->width);
	if (d->height) str_addf(text, " x %u", d->height);
	if (d->depth) str_addf(text, " x %u", d->depth);
	if (d->cube) str_add(text, " x 6 faces");
	if (d->layers) str_addf(text, " x %u layers", d->layers);
	if (!box->open || !box->owner->device) str_add(text, " (closed)");
	lua_pushlstring(L, text->text, text->len);
	return 1;
}

static const Key shape_keys[] = {KEYS(TextureDesc, width), KEYS_KNOWN(TextureDesc, height, depth, layers),
								 KEYS(TextureDesc, channels), KEYS_KNOWN(TextureDesc, cube), KEYS_END};

static const luaL_Reg texture_methods[] = {
	{"update", texture_update}, {"download", texture_download}, {"free", texture_free}, {NULL, NULL}};
#define CLASS_NAMED(name)                                                                                              \
	{                                                                                                                  \
		.metatable = name, .methods = texture_methods, .named = (const char *const[]){"type", "stale", NULL},          \
		.keys = shape_keys, .release = texture_free, .text = texture_tostring, .inside = offsetof(TextureBox, desc),   \
		.field = texture_field                                                                                         \
	}
const BindClass bind_texture_class = CLASS_NAMED(CLASS_TEXTURE), bind_surface_class = CLASS_NAMED(CLASS_SURFACE);
