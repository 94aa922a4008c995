/* Buffers from and to files: NumPy's .npy, and bytes as they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "bind/internal.h"

static const char MAGIC[] = "\x93NUMPY";
enum { MAGIC_BYTES = 6, HEADER_ALIGN = 64 };

/* NumPy's name of a type; bfloat16 is two bytes without a meaning to it. */
static const char *descr_of(ElemType type) {
	static const char *const names[ELEM_TYPES] = {
		[ELEM_F32] = "<f4", [ELEM_F64] = "<f8", [ELEM_I32] = "<i4", [ELEM_U32] = "<u4",
		[ELEM_I64] = "<i8", [ELEM_U64] = "<u8", [ELEM_I16] = "<i2", [ELEM_U16] = "<u2",
		[ELEM_I8] = "|i1",  [ELEM_U8] = "|u1",  [ELEM_F16] = "<f2", [ELEM_BF16] = "|V2"};
	return names[type];
}

/* The header is a Python literal: what follows 'key': in it. */
static const char *value_of(const char *header, const char *key) {
	const char *at = strstr(header, key);
	at = at ? strchr(at, ':') : NULL;
	return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool shape_of(const char *header, size_t *count) {
	const char *p = value_of(header, "'shape'");
	if (!p || *p != '(') return false;
	*count = 1;
	for (p++; *p && *p != ')'; p += strspn(p, ", ")) {
		char *end;
		const unsigned long long extent = strtoull(p, &end, 10);
		if (end == p || (extent && *count > SIZE_MAX / 16 / extent)) return false;
		*count *= extent;
		p = end;
	}
	return *p == ')';
}

/* Where the elements begin, and how many there are. */
static const char *npy_elements(lua_State *L, const char *path, const char *data, size_t bytes, ElemType type,
								size_t *count) {
	const unsigned char *u = (const unsigned char *)data;
	const bool wide = bytes > 12 && u[MAGIC_BYTES] > 1;
	const size_t at = wide ? 12 : 10;
	const size_t len = bytes < at ? SIZE_MAX
					   : wide     ? u[8] | u[9] << 8 | u[10] << 16 | (size_t)u[11] << 24
								  : u[8] | (size_t)u[9] << 8;
	if (bytes < at || len > bytes - at) luaL_error(L, "%s: the header of the .npy file is damaged", path);
	const char *header = lua_pushlstring(L, data + at, len), *descr = value_of(header, "'descr'"),
			   *order = value_of(header, "'fortran_order'");
	if (!descr || !order || !shape_of(header, count)) luaL_error(L, "%s: the header of the .npy file is damaged", path);
	const char *wants = descr_of(type);
	if (strncmp(descr + 1, wants, strlen(wants)) != 0)
		luaL_error(L, "%s holds %s, a buffer of %s takes '%s'", path, lua_pushlstring(L, descr, strcspn(descr, ",}")),
				   elem_name(type), wants);
	if (strncmp(order, "False", 5) != 0)
		luaL_error(L, "%s is stored column by column (fortran_order): save it row by row", path);
	if ((bytes - at - len) / elem_bytes(type) < *count) luaL_error(L, "%s ends before its last element", path);
	return data + at + len;
}

const char *bind_read_elements(lua_State *L, const char *path, ElemType type, size_t width, size_t room, size_t *count,
							   Holder **file) {
	enum { MB = 20 };
	const size_t most = ((room * elem_bytes(type) >> MB) + 2) << MB; /* a header; a bit too much, in elements below */
	size_t bytes;
	*file = bind_hold(L, free);
	const char *data = (*file)->data = file_read(path, most, &bytes, bind_err());
	bind_must(L, data);
	const bool npy = text_ends(path, ".npy");
	const size_t whole = elem_bytes(type) * width;
	if (bytes >= MAGIC_BYTES && memcmp(data, MAGIC, MAGIC_BYTES) == 0)
		data = npy_elements(L, path, data, bytes, type, count);
	else if (npy)
		luaL_error(L, "%s is not a .npy file: %s", path, bytes ? "it does not begin as NumPy's do" : "it is empty");
	else
		*count = bytes / elem_bytes(type);
	if (*count % width || (data == (*file)->data && bytes % whole))
		luaL_error(L, "%s has %I bytes of data, which are not whole elements of %d bytes", path,
				   (lua_Integer)(data == (*file)->data ? bytes : *count * elem_bytes(type)), (int)whole);
	return data;
}

int bind_buffer_load(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	const char *path = bind_check_path(L, 2);
	size_t count, first, room;
	lua_settop(L, 3);
	lua_pushnil(L);
	bind_check_range(L, 3, box->count / box->width, &first, &room);
	Holder *holder;
	const char *data = bind_read_elements(L, path, box->type, box->width, room * box->width, &count, &holder);
	if (count > room * box->width)
		return luaL_error(L, "%s has %I elements, and the %s room for %I from element %I on", path,
						  (lua_Integer)(count / box->width), bind_buffer_text(L, box), (lua_Integer)room,
						  (lua_Integer)first);
	if (count)
		bind_must(L, device_upload(bind_open(L, box->owner), box->buffer, first * box->width, data, count, bind_err()));
	bind_drop(holder);
	lua_pushinteger(L, (lua_Integer)(count / box->width));
	return 1;
}

static void add_header(Str *out, const BufferBox *box) {
	char shape[64], dict[160];
	if (box->width > 1)
		snprintf(shape, sizeof shape, "(%zu, %zu)", box->count / box->width, box->width);
	else
		snprintf(shape, sizeof shape, "(%zu,)", box->count);
	snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr_of(box->type), shape);
	const size_t plain = MAGIC_BYTES + 4 + strlen(dict) + 1,
				 whole = (plain + HEADER_ALIGN - 1) / HEADER_ALIGN * HEADER_ALIGN;
	const size_t len = whole - MAGIC_BYTES - 4;
	str_addn(out, MAGIC, MAGIC_BYTES);
	str_addn(out, (const char[]){1, 0, (char)(len & 255), (char)(len >> 8)}, 4);
	str_add(out, dict);
	while (out->len < whole - 1) str_add(out, " ");
	str_add(out, "\n");
}

int bind_buffer_save(lua_State *L) {
	BufferBox *box = bind_check_buffer(L, 1);
	const char *path = bind_check_path(L, 2);
	Str *out = bind_str(L);
	Array *array = bind_new_array(L, box->type, box->count);
	bind_must(L, device_download(bind_open(L, box->owner), box->buffer, 0, array->data, box->count, bind_err()));
	if (text_ends(path, ".npy")) add_header(out, box);
	str_addn(out, array->data, box->count * elem_bytes(box->type));
	bind_must(L, file_write(path, out->text, out->len, bind_err()));
	str_free(out);
	return 0;
}
