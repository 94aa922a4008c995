/* Tensor maps: gpu.tensor_map. */
#include <string.h>

#include "bind/internal.h"
#include "bind/values/keys.h"

static const char *const swizzles[] = {"none", "32B", "64B", "128B", NULL}, *const fills[] = {"zero", "nan", NULL};

typedef struct {
	uint64_t dims[TENSOR_DIMS], strides[TENSOR_DIMS - 1], first;
	uint32_t box[TENSOR_DIMS], element_strides[TENSOR_DIMS];
	int32_t lower_corner[TENSOR_SPACE], upper_corner[TENSOR_SPACE];
	uint32_t channels_per_pixel, pixels_per_column; /* of im2col maps */
	uint32_t swizzle, fill;
	const char *type;
} Options;

static const Key keys[] = {KEY_AS(Options, dims, "dims", .flags = NEEDED),
						   KEYS(Options, box, strides, element_strides, first, type),
						   KEY_WHOLE(Options, lower_corner, INT16_MIN, INT16_MAX),
						   KEY_WHOLE(Options, upper_corner, INT16_MIN, INT16_MAX),
						   KEYS(Options, channels_per_pixel, pixels_per_column),
						   KEY_NAME(Options, swizzle, swizzles),
						   KEY_NAME(Options, fill, fills),
						   KEYS_END};

static TensorType type_of(lua_State *L, int arg, const BufferBox *buffer, const char *name) {
	static const TensorType same[ELEM_TYPES] = {
		[ELEM_F32] = TENSOR_F32, [ELEM_F64] = TENSOR_F64, [ELEM_F16] = TENSOR_F16, [ELEM_BF16] = TENSOR_BF16,
		[ELEM_I32] = TENSOR_S32, [ELEM_U32] = TENSOR_U32, [ELEM_I16] = TENSOR_U16, [ELEM_U16] = TENSOR_U16,
		[ELEM_I8] = TENSOR_U8,   [ELEM_U8] = TENSOR_U8,   [ELEM_I64] = TENSOR_S64, [ELEM_U64] = TENSOR_U64};
	if (!name) return same[buffer->type];
	for (int t = 0; t < TENSOR_TYPES; t++)
		if (strcmp(name, tensor_type_name((TensorType)t)) == 0) return (TensorType)t;
	bind_bad(L, arg, "type: a tensor map has no elements of type '%.40s'", name);
	return TENSOR_U8;
}

/* How many numbers the list has; a number is a list of one. */
static uint32_t length_of(lua_State *L, int arg, const char *key) {
	const int type = lua_getfield(L, arg, key);
	const lua_Unsigned n = type == LUA_TTABLE ? lua_rawlen(L, -1) : type != LUA_TNIL;
	lua_pop(L, 1);
	return n > TENSOR_DIMS ? TENSOR_DIMS + 1 : (uint32_t)n;
}

static void check_inside(lua_State *L, int arg, const BufferBox *buffer, const TensorMap *m, size_t first) {
	const size_t bytes = buffer->count * elem_bytes(buffer->type);
	const uint32_t each = tensor_type_bytes((TensorType)m->type);
	if (first % 16) bind_bad(L, arg, "first: byte %zu of the buffer; a tensor begins at a multiple of 16", first);
	unsigned __int128 end = (unsigned __int128)first + (unsigned __int128)m->dims[0] * each;
	for (uint32_t i = 1; i < m->rank; i++) end += (unsigned __int128)(m->dims[i] - 1) * m->strides[i - 1];
	if (end > bytes)
		bind_bad(L, arg, "the tensor's last element is beyond the %s, which has %zu bytes", bind_buffer_text(L, buffer),
				 bytes);
}

static uint16_t low16(uint32_t v) {
	return v > UINT16_MAX ? UINT16_MAX : (uint16_t)v;
}

/* A column of pixels in place of a box. */
static void take_window(lua_State *L, int arg, const Options *o, TensorMap *m) {
	const uint32_t space = m->rank > 2 ? m->rank - 2u : 0;
	if (length_of(L, arg, "box")) bind_bad(L, arg, "box: an im2col map has channels_per_pixel and pixels_per_column");
	if (!o->channels_per_pixel)
		bind_bad(L, arg, "channels_per_pixel: a number expected, since there is pixels_per_column");
	static const char *const corners[] = {"lower_corner", "upper_corner"};
	for (uint32_t k = 0; k < 2; k++) {
		const uint32_t n = length_of(L, arg, corners[k]);
		if (n && n != space) bind_bad(L, arg, "%s: two numbers less than dims has expected", corners[k]);
	}
	m->im2col = true;
	m->box[0] = low16(o->channels_per_pixel);
	m->pixels = low16(o->pixels_per_column);
	for (uint32_t i = 0; i < space && i < TENSOR_SPACE; i++) {
		m->lower[i] = (int16_t)o->lower_corner[i];
		m->upper[i] = (int16_t)o->upper_corner[i];
	}
}

static void take_tile(lua_State *L, int arg, const Options *o, TensorMap *m) {
	static const char *const others[] = {"lower_corner", "upper_corner", "channels_per_pixel"};
	if (length_of(L, arg, "box") != m->rank) bind_bad(L, arg, "box: as many numbers as dims has expected");
	for (uint32_t k = 0; k < 3; k++)
		if (length_of(L, arg, others[k]))
			bind_bad(L, arg, "%s: only an im2col map has it, one with pixels_per_column", others[k]);
	for (uint32_t i = 0; i < m->rank && i < TENSOR_DIMS; i++) m->box[i] = low16(o->box[i]);
}

static TensorMap check_options(lua_State *L, int arg, const BufferBox *buffer, size_t *first) {
	Options o = {0};
	Err err = ERR_INIT;
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_read_keys(L, arg, keys, &o);
	const uint32_t rank = length_of(L, arg, "dims"), strides = length_of(L, arg, "strides");
	TensorMap m = {.rank = (uint8_t)rank, .swizzle = (uint8_t)o.swizzle, .nan_fill = o.fill == 1};
	m.type = (uint8_t)type_of(L, arg, buffer, o.type);
	if (length_of(L, arg, "pixels_per_column"))
		take_window(L, arg, &o, &m);
	else
		take_tile(L, arg, &o, &m);
	if (strides && strides + 1 != rank) bind_bad(L, arg, "strides: one number less than dims has expected");
	uint64_t dense = tensor_type_bytes((TensorType)m.type);
	for (uint32_t i = 0; i < rank && i < TENSOR_DIMS; i++) {
		const uint32_t step = o.element_strides[i] ? o.element_strides[i] : 1;
		m.dims[i] = o.dims[i];
		m.steps[i] = step > UINT8_MAX ? UINT8_MAX : (uint8_t)step;
		dense *= o.dims[i];
		if (i + 1 < rank && i + 1 < TENSOR_DIMS) m.strides[i] = strides ? o.strides[i] : dense;
	}
	if (!tensor_map_make(&m, &err)) bind_bad(L, arg, "%s", err.what);
	*first = (size_t)o.first * elem_bytes(buffer->type);
	check_inside(L, arg, buffer, &m, *first);
	return m;
}

int bind_tensor_map(lua_State *L) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	BufferBox *buffer = bind_check_buffer(L, first);
	lua_settop(L, first + 1);
	if (buffer->owner != owner) return bind_bad(L, first, "the %s is of another device", bind_buffer_text(L, buffer));
	size_t offset;
	const TensorMap map = check_options(L, first + 1, buffer, &offset);
	TensorMapBox *box = bind_box(L, sizeof *box, CLASS_TENSOR_MAP, 1);
	box->map = map;
	box->buffer = buffer;
	box->offset = offset;
	lua_pushvalue(L, first); /* keeps the buffer, which keeps the device */
	lua_setiuservalue(L, -2, 1);
	return 1;
}

bool bind_to_tensor_map(lua_State *L, int idx, const Structure *s, Arg *out, const char **why) {
	const TensorMapBox *box = luaL_testudata(L, idx, CLASS_TENSOR_MAP);
	if (!box) return false;
	if (s->bytes != TENSOR_MAP_BYTES)
		*why = "a tensor map";
	else if (!box->buffer->open || !box->buffer->owner->device)
		*why = lua_pushfstring(L, "a tensor map of the closed %s", bind_buffer_text(L, box->buffer));
	else if (box->buffer->owner != s->kernel->owner)
		*why = "a tensor map of another device";
	ArgPointer *pointer = lua_newuserdatauv(L, sizeof *pointer, 0);
	lua_rawseti(L, s->keep, (lua_Integer)lua_rawlen(L, s->keep) + 1);
	*pointer = (ArgPointer){offsetof(TensorMap, address), box->buffer->buffer, box->offset};
	lua_pushvalue(L, idx); /* the bytes are the box's */
	lua_rawseti(L, s->keep, (lua_Integer)lua_rawlen(L, s->keep) + 1);
	*out = (Arg){.kind = ARG_BYTES, .bytes = (const uint8_t *)&box->map, .pointers = pointer, .npointers = 1};
	return true;
}

static int tensor_map_tostring(lua_State *L) {
	const TensorMapBox *box = luaL_checkudata(L, 1, CLASS_TENSOR_MAP);
	Str *text = bind_str(L);
	str_addf(text, "tensor map %s", tensor_type_name((TensorType)box->map.type));
	for (uint32_t i = 0; i < box->map.rank; i++)
		str_addf(text, "%s%llu", i ? " x " : " ", (unsigned long long)box->map.dims[i]);
	if (box->map.im2col) str_addf(text, ", im2col %u x %u", box->map.box[0], box->map.pixels);
	for (uint32_t i = 0; i < box->map.rank && !box->map.im2col; i++)
		str_addf(text, "%s%u", i ? " x " : ", box ", box->map.box[i]);
	if (box->map.swizzle) str_addf(text, ", swizzle %s", swizzles[box->map.swizzle]);
	lua_pushlstring(L, text->text, text->len);
	return 1;
}

const BindClass bind_tensor_map_class = {.metatable = CLASS_TENSOR_MAP, .text = tensor_map_tostring};
