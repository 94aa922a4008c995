/* Structures as arguments: their bytes, and where in them buffers' addresses are. */
#include <stdio.h>
#include <string.h>

#include "base/text/nearest.h"
#include "bind/internal.h"

typedef struct {
	lua_State *L;
	const char **why;
	FieldsOut out;
} Writer;

bool bind_to_reference(lua_State *L, int idx, const DeviceBox *owner, Buffer *buffer, size_t *offset,
					   const char **why) {
	const PointerBox *pointer = bind_test_pointer(L, idx);
	const BufferBox *box = pointer ? pointer->buffer : bind_test_buffer(L, idx);
	const TextureBox *texture = bind_test_texture(L, idx);
	if (!box && !texture) return false;
	*why = NULL;
	const DeviceBox *of = box ? box->owner : texture->owner;
	if (!(box ? box->open : texture->open) || !of->device)
		*why = box ? lua_pushfstring(L, "the closed %s", bind_buffer_text(L, box)) : "a closed texture";
	else if (of != owner)
		*why = box ? lua_pushfstring(L, "the %s of another device", bind_buffer_text(L, box))
				   : "a texture of another device";
	*buffer = box ? box->buffer : texture->texture;
	*offset = pointer ? pointer->offset : 0;
	return true;
}

/* --- by a layout -------------------------------------------------------------------------------------------------- */

static bool write_class(Writer *w, int table, const Layout *layout, size_t base);

static bool say(Writer *w, const char *name, const char *what) {
	*w->why = lua_pushfstring(w->L, "%s: %s", name, what);
	return false;
}

static const char *expected(lua_State *L, const Pointee *to) {
	switch (to->kind) {
	case POINTEE_NUMBER: return lua_pushfstring(L, "a buffer of %s", elem_name(to->elem));
	case POINTEE_POINTER: return "a buffer of pointers";
	case POINTEE_CLASS:
		lua_pushlstring(L, to->name, to->name_len);
		return lua_pushfstring(L, "a buffer of %s", lua_tostring(L, -1));
	case POINTEE_UNKNOWN: break;
	}
	return "a buffer";
}

/* A buffer of the wrong type, or a texture where the field is a pointer. */
static bool fits(Writer *w, int idx, const Pointee *to, const char **why) {
	const PointerBox *pointer = bind_test_pointer(w->L, idx);
	const BufferBox *box = pointer ? pointer->buffer : bind_test_buffer(w->L, idx);
	if (box) return bind_pointee_takes(w->L, w->out.layouts, to, box, why);
	*why = "a texture or surface";
	return to->kind == POINTEE_UNKNOWN;
}

static bool write_pointer(Writer *w, int idx, const LayoutField *f, size_t at) {
	const char *problem = NULL;
	Buffer buffer;
	size_t offset;
	if (bind_to_reference(w->L, idx, w->out.owner, &buffer, &offset, &problem)) {
		if (problem || !fits(w, idx, &f->to, &problem))
			return say(w, f->name, lua_pushfstring(w->L, "%s expected, got %s", expected(w->L, &f->to), problem));
		if (w->out.npointers == w->out.room) return say(w, f->name, "too many buffers");
		w->out.pointers[w->out.npointers++] = (ArgPointer){at, buffer, offset};
		return true;
	}
	if (lua_isinteger(w->L, idx) && lua_tointeger(w->L, idx) == 0) return true;
	return say(w, f->name, lua_pushfstring(w->L, "a buffer or 0 expected, got %s", luaL_typename(w->L, idx)));
}

static bool write_one(Writer *w, int idx, const LayoutField *f, size_t at) {
	const char *why;
	switch (f->kind) {
	case LAYOUT_POINTER: return write_pointer(w, idx, f, at);
	case LAYOUT_CLASS:
		if (!lua_istable(w->L, idx))
			return say(w, f->name, lua_pushfstring(w->L, "a table expected, got %s", luaL_typename(w->L, idx)));
		return write_class(w, idx, f->class, at);
	case LAYOUT_BOOL:
		w->out.bytes[at] = lua_isboolean(w->L, idx) ? (uint8_t)lua_toboolean(w->L, idx) : lua_tointeger(w->L, idx) != 0;
		if (lua_isboolean(w->L, idx) || lua_isinteger(w->L, idx)) return true;
		return say(w, f->name, lua_pushfstring(w->L, "true or false expected, got %s", luaL_typename(w->L, idx)));
	case LAYOUT_NUMBER: break;
	}
	return bind_to_element(w->L, idx, f->elem, w->out.bytes + at, &why) || say(w, f->name, why);
}

/* The elements of m[2][3]: a table of 2 tables of 3, from `level` of its extents on; or all 6 in one, which is one
 * level. */
static bool write_array(Writer *w, int idx, const LayoutField *f, size_t level, size_t at) {
	const bool flat = level == 0 && lua_istable(w->L, idx) && lua_rawlen(w->L, idx) == f->count;
	const size_t n = flat ? f->count : f->extents[level];
	const bool last = flat ? f->extents[0] != f->count || f->nextents == 1 : level + 1 == f->nextents;
	size_t bytes = f->bytes;
	for (size_t i = level + 1; i < f->nextents && !last; i++) bytes *= f->extents[i];
	luaL_checkstack(w->L, 10, "a structure");
	if (!lua_istable(w->L, idx) || lua_rawlen(w->L, idx) != n)
		return say(w, f->name, lua_pushfstring(w->L, "a table of %d %s expected", (int)n, last ? "values" : "tables"));
	for (size_t i = 0; i < n; i++) {
		lua_rawgeti(w->L, idx, (lua_Integer)i + 1);
		const int one = lua_gettop(w->L);
		if (last ? !write_one(w, one, f, at + i * bytes) : !write_array(w, one, f, level + 1, at + i * bytes))
			return false;
		lua_pop(w->L, 1);
	}
	return true;
}

static bool write_field(Writer *w, int idx, const LayoutField *f, size_t base) {
	return f->count ? write_array(w, idx, f, 0, base + f->offset) : write_one(w, idx, f, base + f->offset);
}

static bool known_fields(Writer *w, int table, const Layout *layout) {
	for (lua_pushnil(w->L); lua_next(w->L, table); lua_pop(w->L, 1)) {
		const char *key = lua_type(w->L, -2) == LUA_TSTRING ? lua_tostring(w->L, -2) : NULL;
		bool known = lua_isinteger(w->L, -2) && (size_t)lua_tointeger(w->L, -2) <= layout->nfields &&
					 lua_tointeger(w->L, -2) > 0;
		for (size_t i = 0; key && i < layout->nfields && !known; i++) known = strcmp(layout->fields[i].name, key) == 0;
		if (known) continue;
		return say(w, key ? key : luaL_tolstring(w->L, -2, NULL), "there is no such field");
	}
	return true;
}

/* Members are given by name, or in the order of the declaration. */
static bool write_class(Writer *w, int table, const Layout *layout, size_t base) {
	luaL_checkstack(w->L, 10, "a structure");
	if (!known_fields(w, table, layout)) return false;
	for (size_t i = 0; i < layout->nfields; i++) {
		const LayoutField *f = &layout->fields[i];
		if (lua_getfield(w->L, table, f->name) == LUA_TNIL) {
			lua_pop(w->L, 1);
			lua_rawgeti(w->L, table, (lua_Integer)i + 1);
		}
		if (lua_isnil(w->L, -1)) return say(w, f->name, "the field is missing");
		if (!write_field(w, lua_gettop(w->L), f, base)) return false;
		lua_pop(w->L, 1);
	}
	return true;
}

bool bind_to_field(lua_State *L, int idx, const LayoutField *field, FieldsOut *out, const char **why) {
	Writer w = {.L = L, .why = why, .out = *out};
	const int top = lua_gettop(L);
	const bool ok = write_field(&w, idx, field, 0);
	if (ok) lua_settop(L, top);
	*out = w.out;
	return ok;
}

bool bind_to_fields(lua_State *L, int table, const Layout *layout, FieldsOut *out, const char **why) {
	Writer w = {.L = L, .why = why, .out = *out};
	const int top = lua_gettop(L);
	const bool ok = write_class(&w, table, layout, 0);
	if (ok) lua_settop(L, top);
	*out = w.out;
	return ok;
}

/* --- packed ------------------------------------------------------------------------------------------------------- */

static bool write_string(Writer *w, int idx, size_t bytes) {
	size_t len;
	const char *text = lua_tolstring(w->L, idx, &len);
	if (len != bytes)
		*w->why = lua_pushfstring(w->L, "a string of %I bytes", (lua_Integer)len);
	else
		memcpy(w->out.bytes, text, len);
	return len == bytes;
}

/* { buffer, string, ... }: one after the other; a buffer is 8 bytes. */
static bool write_pieces(Writer *w, int table, size_t bytes) {
	size_t at = 0;
	const lua_Unsigned n = lua_rawlen(w->L, table);
	for (lua_Unsigned i = 1; i <= n; i++) {
		const LayoutField piece = {.name = lua_pushfstring(w->L, "[%d]", (int)i)};
		lua_rawgeti(w->L, table, (lua_Integer)i);
		const int idx = lua_gettop(w->L);
		size_t len = 8;
		const char *text = lua_type(w->L, idx) == LUA_TSTRING ? lua_tolstring(w->L, idx, &len) : NULL;
		if (len > bytes - at)
			return say(w, piece.name, lua_pushfstring(w->L, "more than the structure's %d bytes", (int)bytes));
		if (text)
			memcpy(w->out.bytes + at, text, len);
		else if (!write_pointer(w, idx, &piece, at))
			return false;
		at += len;
		lua_pop(w->L, 2);
	}
	if (at != bytes) *w->why = lua_pushfstring(w->L, "pieces of %d bytes in all", (int)at);
	return at == bytes;
}

/* A list of strings and what has an address; needs_string: and at least one string. */
static bool only_pieces(lua_State *L, int table, bool needs_string) {
	const lua_Unsigned n = lua_rawlen(L, table);
	bool strings = false, pieces = n > 0;
	for (lua_Unsigned i = 1; i <= n && pieces; i++) {
		const bool string = lua_rawgeti(L, table, (lua_Integer)i) == LUA_TSTRING;
		strings = strings || string;
		pieces = string || lua_isuserdata(L, -1);
		lua_pop(L, 1);
	}
	return pieces && (strings || !needs_string);
}

static bool write_table(Writer *w, int table, const Structure *s) {
	const char *problem = "it is a template";
	const Layout *layout =
		s->cxx->name ? bind_layout(s->kernel->module, s->cxx->name, s->cxx->name_len, &problem) : NULL;
	if (layout && layout->bytes == s->bytes && !only_pieces(w->L, table, true)) return write_class(w, table, layout, 0);
	if (only_pieces(w->L, table, false)) return write_pieces(w, table, s->bytes);
	if (layout)
		problem = lua_pushfstring(w->L, "it has %d bytes, its declaration as it was read %d", (int)s->bytes,
								  (int)layout->bytes);
	*w->why = lua_pushfstring(w->L,
							  "a table, but the fields of the structure are not known (%s): pass a string as "
							  "string.pack makes it, or a list of such strings and buffers",
							  problem);
	return false;
}

static void *kept(lua_State *L, int keep, size_t bytes) {
	void *at = lua_newuserdatauv(L, bytes + 1, 0);
	memset(at, 0, bytes + 1);
	lua_rawseti(L, keep, (lua_Integer)lua_rawlen(L, keep) + 1);
	return at;
}

bool bind_to_structure(lua_State *L, int idx, const Structure *s, Arg *out, const char **why) {
	const uint32_t room = (uint32_t)(s->bytes / 8);
	Writer w = {.L = L, .why = why, .out = {.owner = s->kernel->owner, .room = room}};
	w.out.bytes = kept(L, s->keep, s->bytes);
	w.out.pointers = kept(L, s->keep, room * sizeof *w.out.pointers);
	w.out.layouts = bind_layouts(s->kernel->module);
	bool ok = false;
	if (lua_type(L, idx) == LUA_TSTRING)
		ok = write_string(&w, idx, s->bytes);
	else if (lua_istable(L, idx))
		ok = write_table(&w, idx, s);
	else
		*why = luaL_typename(L, idx);
	*out = (Arg){.kind = ARG_BYTES, .bytes = w.out.bytes, .pointers = w.out.pointers, .npointers = w.out.npointers};
	return ok;
}
