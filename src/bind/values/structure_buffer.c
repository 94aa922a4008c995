/* Buffers of structures, m:buffer("S", n): bytes to the device, tables by the names of the fields to Lua. */
#include <string.h>

#include "bind/internal.h"

/* --- structures and bytes ----------------------------------------------------------------------------------------- */

static void push_class(lua_State *L, const Layout *layout, const uint8_t *at);

static void push_one(lua_State *L, const LayoutField *f, const uint8_t *at) {
	uint64_t address;
	switch (f->kind) {
	case LAYOUT_NUMBER: bind_push_element(L, f->elem, at); break;
	case LAYOUT_BOOL: lua_pushboolean(L, *at); break;
	case LAYOUT_CLASS: push_class(L, f->class, at); break;
	case LAYOUT_POINTER:
		memcpy(&address, at, sizeof address);
		lua_pushinteger(L, (lua_Integer)address);
		break;
	}
}

static void push_array(lua_State *L, const LayoutField *f, size_t level, const uint8_t *at) {
	const bool last = level + 1 >= f->nextents || level + 1 >= LAYOUT_EXTENTS;
	const size_t n = f->extents[level];
	size_t bytes = f->bytes;
	luaL_checkstack(L, 10, "a structure");
	for (size_t i = level + 1; i < f->nextents && i < LAYOUT_EXTENTS; i++) bytes *= f->extents[i];
	lua_createtable(L, (int)n, 0);
	for (size_t i = 0; i < n; i++) {
		if (last)
			push_one(L, f, at + i * bytes);
		else
			push_array(L, f, level + 1, at + i * bytes);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

static void push_class(lua_State *L, const Layout *layout, const uint8_t *at) {
	luaL_checkstack(L, 10, "a structure");
	lua_createtable(L, 0, (int)layout->nfields);
	for (size_t i = 0; i < layout->nfields; i++) {
		const LayoutField *f = &layout->fields[i];
		if (f->count)
			push_array(L, f, 0, at + f->offset);
		else
			push_one(L, f, at + f->offset);
		lua_setfield(L, -2, f->name);
	}
}

/* Structures on their way to the device, in memory of the stack's. */
typedef struct {
	uint8_t *bytes;
	ArgPointer *pointers;
	uint32_t npointers;
} Packed;

static Packed new_packed(lua_State *L, size_t bytes) {
	Packed p = {.bytes = lua_newuserdatauv(L, bytes + 1, 0)};
	p.pointers = lua_newuserdatauv(L, (bytes / 8 + 1) * sizeof *p.pointers, 0);
	memset(p.bytes, 0, bytes);
	return p;
}

/* Number i of them from the table at idx. */
static bool pack(lua_State *L, const BufferBox *box, int idx, size_t i, Packed *p, const char **why) {
	const uint32_t before = p->npointers;
	FieldsOut out = {.owner = box->owner,
					 .layouts = box->layouts,
					 .bytes = p->bytes + i * box->width,
					 .pointers = p->pointers + before,
					 .room = (uint32_t)(box->width / 8)};
	if (!bind_to_fields(L, idx, box->layout, &out, why)) return false;
	for (uint32_t k = 0; k < out.npointers; k++) p->pointers[before + k].at += i * box->width;
	p->npointers += out.npointers;
	return true;
}

static void send(lua_State *L, const BufferBox *box, size_t first, size_t n, Packed *p) {
	const size_t at = first * box->width;
	bind_must(L, device_upload(bind_open(L, box->owner), box->buffer, at, p->bytes, n * box->width, bind_err()));
	for (uint32_t i = 0; i < p->npointers; i++) p->pointers[i].at += at;
	if (p->npointers)
		bind_must(L,
				  device_upload_pointers(bind_open(L, box->owner), box->buffer, p->pointers, p->npointers, bind_err()));
}

/* Element number i refers to the value on top, or to what is in it; pops it. */
void bind_keep(lua_State *L, int buffer, size_t i) {
	if (lua_getiuservalue(L, buffer, BUFFER_KEPT) != LUA_TTABLE) {
		lua_pop(L, 1);
		lua_newtable(L);
		lua_pushvalue(L, -1);
		lua_setiuservalue(L, buffer, BUFFER_KEPT);
	}
	lua_insert(L, -2);
	lua_rawseti(L, -2, (lua_Integer)i + 1);
	lua_pop(L, 1);
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

void bind_push_structures(lua_State *L, const BufferBox *box, size_t first, size_t n, bool list) {
	const size_t each = box->width;
	uint8_t *bytes = lua_newuserdatauv(L, n * each + 1, 0);
	if (n)
		bind_must(L, device_download(bind_open(L, box->owner), box->buffer, first * each, bytes, n * each, bind_err()));
	if (list) lua_createtable(L, (int)(n < 1 << 20 ? n : 0), 0);
	for (size_t i = 0; i < n; i++) {
		push_class(L, box->layout, bytes + i * each);
		if (list) lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

void bind_set_structure(lua_State *L, int buffer, size_t i, int idx) {
	const BufferBox *box = lua_touserdata(L, buffer);
	const char *why;
	Packed p = new_packed(L, box->width);
	if (!lua_istable(L, idx))
		luaL_error(L, "a table of the fields of %s expected, got %s", box->layout->name, luaL_typename(L, idx));
	if (!pack(L, box, idx, 0, &p, &why)) luaL_error(L, "%s", why);
	send(L, box, i, 1, &p);
	lua_pushvalue(L, idx);
	bind_keep(L, buffer, i);
}

void bind_upload_structures(lua_State *L, int buffer, int arg, size_t first, size_t n) {
	const BufferBox *box = lua_touserdata(L, buffer);
	Packed p = new_packed(L, n * box->width);
	for (size_t i = 0; i < n; i++) {
		const char *why;
		lua_rawgeti(L, arg, (lua_Integer)i + 1);
		if (!lua_istable(L, -1))
			bind_bad(L, arg, "[%zu]: a table of the fields of %s expected, got %s", i + 1, box->layout->name,
					 luaL_typename(L, -1));
		if (!pack(L, box, lua_gettop(L), i, &p, &why)) bind_bad(L, arg, "[%zu]: %s", i + 1, why);
		bind_keep(L, buffer, first + i);
	}
	if (n) send(L, box, first, n, &p);
}

/* 0, "sentinel", or all structures. True: a definition. */
bool bind_check_structures(lua_State *L, int arg, const BufferBox *box, Define *define) {
	const size_t n = box->count / box->width;
	*define = (Define){.kind = DEFINE_SENTINEL};
	if (lua_isnil(L, arg) || (lua_type(L, arg) == LUA_TSTRING && strcmp(lua_tostring(L, arg), "sentinel") == 0))
		return true;
	if (lua_istable(L, arg)) {
		if (lua_rawlen(L, arg) == n) return false;
		bind_bad(L, arg, "a table of %zu structures expected, this one has %zu", n, (size_t)lua_rawlen(L, arg));
	}
	if (lua_type(L, arg) != LUA_TNUMBER || lua_tonumber(L, arg) != 0)
		bind_bad(L, arg, "0, sentinel or a table of structures expected, got %s", luaL_tolstring(L, arg, NULL));
	*define = (Define){.kind = DEFINE_FILL, .value = 0};
	return true;
}

void bind_fill_structures(lua_State *L, int buffer, int arg) {
	const BufferBox *box = lua_touserdata(L, buffer);
	Define define;
	if (bind_check_structures(L, arg, box, &define))
		bind_must(L, device_define(bind_open(L, box->owner), box->buffer, define, bind_err()));
	else
		bind_upload_structures(L, buffer, arg, 0, box->count / box->width);
}
