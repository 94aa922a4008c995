/* Launch configurations, kernel arguments checked against the kernel's PTX parameters, and outcomes. */
#include <stdio.h>
#include <string.h>

#include "bind/internal.h"
#include "device/describe.h"

/* --- configuration: {grid=, block=, shared=, timeout=} ----------------------------------------------------------------------------- */

static uint32_t check_extent(lua_State *L, int arg, const char *key, int axis) {
	int whole;
	lua_Integer v = lua_tointegerx(L, -1, &whole);
	if (lua_type(L, -1) != LUA_TNUMBER || !whole || v < 1 || v > UINT32_MAX)
		bind_bad(L, arg, "%s%s: a whole number from 1 to 4294967295 expected, got %s", key,
				 axis < 0 ? "" : lua_pushfstring(L, "[%d]", axis + 1), luaL_tolstring(L, -1 - (axis >= 0), NULL));
	return (uint32_t)v;
}

static void check_shape(lua_State *L, int arg, const char *key, uint32_t out[3]) {
	out[0] = out[1] = out[2] = 1;
	lua_getfield(L, arg, key);
	if (lua_type(L, -1) == LUA_TNUMBER)
		out[0] = check_extent(L, arg, key, -1);
	else if (lua_istable(L, -1)) {
		lua_Unsigned n = lua_rawlen(L, -1);
		if (n < 1 || n > 3) bind_bad(L, arg, "%s: 1 to 3 numbers expected, got %d", key, (int)n);
		for (int axis = 0; axis < (int)n; axis++) {
			lua_rawgeti(L, -1, axis + 1);
			out[axis] = check_extent(L, arg, key, axis);
			lua_pop(L, 1);
		}
	} else
		bind_bad(L, arg, "%s: a number or a table of 1 to 3 numbers expected, got %s", key, luaL_typename(L, -1));
	lua_pop(L, 1);
}

static lua_Integer check_amount(lua_State *L, int arg, const char *key, lua_Integer most) {
	int whole = 1;
	lua_Integer v = 0;
	if (lua_getfield(L, arg, key) != LUA_TNIL) v = lua_tointegerx(L, -1, &whole);
	if (!whole || v < 0 || v > most)
		bind_bad(L, arg, "%s: a whole number from 0 to %lld expected, got %s", key, (long long)most,
				 luaL_tolstring(L, -1, NULL));
	lua_pop(L, 1);
	return v;
}

void bind_check_config(lua_State *L, int arg, LaunchConfig *out) {
	static const char *const keys[] = {"grid", "block", "shared", "timeout", NULL};
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	LaunchConfig config = {0};
	check_shape(L, arg, "grid", config.grid);
	check_shape(L, arg, "block", config.block);
	config.shared_bytes = (size_t)check_amount(L, arg, "shared", INT32_MAX);
	config.timeout_ms = (uint32_t)check_amount(L, arg, "timeout", INT32_MAX);
	*out = config;
}

/* --- arguments ---------------------------------------------------------------------------------------------------------------- */

/* What a parameter takes, as PTX tells it: it knows widths, but no signs, and no difference between a pointer and 64 bits. */
typedef enum { TAKES_INTEGER, TAKES_FLOAT, TAKES_DOUBLE, TAKES_HALF, TAKES_ADDRESS, TAKES_BYTES } Takes;

static Takes param_takes(PtxType type, size_t bytes) {
	switch (type) {
	case T_F32: return TAKES_FLOAT;
	case T_F64: return TAKES_DOUBLE;
	case T_F16: return TAKES_HALF;
	case T_U64:
	case T_S64:
	case T_B64: return TAKES_ADDRESS;
	default: break;
	}
	return bytes == ptx_type_bytes(type) ? TAKES_INTEGER : TAKES_BYTES; /* an array of .b8 is a structure */
}

static const char *describe(lua_State *L, Takes takes, PtxType type, size_t bytes) {
	switch (takes) {
	case TAKES_ADDRESS: return "a buffer or a 64-bit integer (u64)";
	case TAKES_BYTES:
		return lua_pushfstring(L, "a structure of %d bytes (.b8), given as string.pack makes it", (int)bytes);
	case TAKES_INTEGER:
		return lua_pushfstring(L, "a%s %d-bit integer (%s)", bytes == 1 ? "n" : "", (int)bytes * 8,
							   ptx_type_name(type));
	default: return lua_pushfstring(L, "a number (%s)", ptx_type_name(type));
	}
}

typedef struct {
	const KernelBox *kernel;
	int from, table; /* as bind_check_args */
	uint32_t i;
	Takes takes;
	PtxType type;
	size_t bytes;
} Param;

/* "bad argument #2 to ...: parameter 2 of tile<33> takes ..., got ..." */
static void complain(lua_State *L, const Param *p, const char *got) {
	const char *takes = describe(L, p->takes, p->type, p->bytes);
	int arg = p->table ? p->table : (int)p->i + 1;
	bind_bad(L, arg, "parameter %u of %s takes %s, got %s", p->i + 1, p->kernel->info.name, takes, got);
}

static void set_buffer(lua_State *L, const Param *p, BufferBox *box, Arg *out) {
	if (!box->open || !box->owner->device) complain(L, p, lua_pushfstring(L, "the closed buffer \"%s\"", box->name));
	if (p->takes != TAKES_ADDRESS) complain(L, p, lua_pushfstring(L, "the buffer \"%s\"", box->name));
	if (box->owner != p->kernel->owner)
		complain(L, p, lua_pushfstring(L, "the buffer \"%s\" of another device", box->name));
	*out = (Arg){.kind = ARG_BUFFER, .buffer = box->buffer};
}

static void set_integer(lua_State *L, const Param *p, int idx, Arg *out) {
	int whole;
	lua_Integer v = lua_tointegerx(L, idx, &whole);
	if (lua_isboolean(L, idx) && p->bytes == 1)
		v = lua_toboolean(L, idx);
	else if (lua_type(L, idx) != LUA_TNUMBER)
		complain(L, p, luaL_typename(L, idx));
	else if (!whole)
		complain(L, p, luaL_tolstring(L, idx, NULL));
	if (p->bytes < 8) {
		int bits = (int)p->bytes * 8;
		if (v < -((lua_Integer)1 << (bits - 1)) || v >= (lua_Integer)1 << bits)
			complain(L, p, lua_pushfstring(L, "%I, which does not fit", v));
	}
	memcpy(out->value, &v, p->bytes);
}

static void set_number(lua_State *L, const Param *p, int idx, ElemType type, Arg *out) {
	const char *why;
	if (lua_type(L, idx) != LUA_TNUMBER) complain(L, p, luaL_typename(L, idx));
	if (!bind_to_element(L, idx, type, out->value, &why))
		complain(L, p, lua_pushfstring(L, "%s, which does not fit", luaL_tolstring(L, idx, NULL)));
}

static void set_bytes(lua_State *L, const Param *p, int idx, Arg *out) {
	size_t len;
	if (lua_type(L, idx) != LUA_TSTRING) complain(L, p, luaL_typename(L, idx));
	const char *text = lua_tolstring(L, idx, &len);
	if (len != p->bytes) complain(L, p, lua_pushfstring(L, "a string of %I bytes", (lua_Integer)len));
	if (len > sizeof out->value)
		complain(L, p,
				 lua_pushfstring(L, "more than the %d bytes a launch from Lua can pass by value: use a buffer",
								 (int)sizeof out->value));
	memcpy(out->value, text, len);
}

static void check_arg(lua_State *L, const Param *p, Arg *out) {
	int idx = p->from + (int)p->i;
	BufferBox *buffer = bind_test_buffer(L, idx);
	*out = (Arg){.kind = ARG_VALUE};
	if (buffer) {
		set_buffer(L, p, buffer, out);
		return;
	}
	switch (p->takes) {
	case TAKES_INTEGER:
	case TAKES_ADDRESS: set_integer(L, p, idx, out); break;
	case TAKES_FLOAT: set_number(L, p, idx, ELEM_F32, out); break;
	case TAKES_DOUBLE: set_number(L, p, idx, ELEM_F64, out); break;
	case TAKES_HALF: set_number(L, p, idx, ELEM_F16, out); break;
	case TAKES_BYTES: set_bytes(L, p, idx, out); break;
	}
}

Arg *bind_check_args(lua_State *L, const KernelBox *kernel, int from, int n, int table) {
	const KernelInfo *info = &kernel->info;
	if ((uint32_t)n != info->nparams)
		bind_bad(L, table ? table : n + (n < (int)info->nparams), "%s takes %u argument%s, got %d", info->name,
				 info->nparams, info->nparams == 1 ? "" : "s", n);
	luaL_checkstack(L, 20, "too many arguments");
	Arg *args = lua_newuserdatauv(L, (info->nparams + 1) * sizeof *args, 0);
	int top = lua_gettop(L);
	for (uint32_t i = 0; i < info->nparams; i++) {
		Param p = {.kernel = kernel, .from = from, .table = table, .i = i};
		p.type = device_kernel_param(kernel->kernel, i, &p.bytes);
		p.takes = param_takes(p.type, p.bytes);
		check_arg(L, &p, &args[i]);
		lua_settop(L, top);
	}
	return args;
}

/* --- outcomes ----------------------------------------------------------------------------------------------------------------- */

static bool to_stderr;

void bind_results(bool on_stderr) {
	to_stderr = on_stderr;
}

void bind_print(void *str, const char *text, size_t len) {
	str_addn(str, text, len);
	fwrite(text, 1, len, to_stderr ? stderr : stdout);
}

static void set_triple(lua_State *L, const char *key, const uint32_t v[3]) {
	static const char *const axes[] = {"x", "y", "z"};
	lua_createtable(L, 3, 3);
	for (int i = 0; i < 3; i++) {
		lua_pushinteger(L, v[i]);
		lua_pushvalue(L, -1);
		lua_rawseti(L, -3, i + 1);
		lua_setfield(L, -2, axes[i]);
	}
	lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const char *text) {
	lua_pushstring(L, text);
	lua_setfield(L, -2, key);
}

static void set_count(lua_State *L, const char *key, lua_Integer v) {
	lua_pushinteger(L, v);
	lua_setfield(L, -2, key);
}

static void push_fault(lua_State *L, const Fault *fault) {
	lua_createtable(L, 0, 18);
	set_text(L, "kind", fault_kind_name(fault->kind));
	lua_pushboolean(L, fault->located);
	lua_setfield(L, -2, "located");
	lua_pushboolean(L, fault->replayed);
	lua_setfield(L, -2, "replayed");
	if (fault->located) {
		set_triple(L, "block", fault->block);
		set_triple(L, "thread", fault->thread);
		set_text(L, "file", fault->file);
		set_count(L, "line", fault->line);
	}
	set_count(L, "threads", fault->threads);
	set_text(L, "kernel", fault->kernel);
	set_text(L, "space", fault->space);
	set_text(L, "access", fault->access);
	set_count(L, "width", fault->width);
	set_text(L, "message", fault->message);
	if (!*fault->buffer) return;
	set_text(L, "buffer", fault->buffer);
	set_count(L, "offset", fault->offset);
	set_count(L, "bytes", (lua_Integer)fault->buffer_bytes);
	if (fault->elem_bytes) {
		int64_t size = fault->elem_bytes;
		set_count(L, "element", (fault->offset - (fault->offset < 0 ? size - 1 : 0)) / size);
		set_text(L, "type", fault->elem_type);
	}
}

static int outcome_tostring(lua_State *L) {
	luaL_checktype(L, 1, LUA_TTABLE);
	lua_getfield(L, 1, "status");
	lua_getfield(L, 1, "ms");
	lua_getfield(L, 1, "message");
	const char *message = lua_tostring(L, -1);
	char text[64];
	snprintf(text, sizeof text, "%.20s, %.4g ms", luaL_tolstring(L, 2, NULL), lua_tonumber(L, 3));
	lua_pushfstring(L, message && *message ? "%s: %s" : "%s", text, message);
	return 1;
}

/* All there is to say about a launch that did not end well, as a text of several lines; "" if it did. */
static void push_report(lua_State *L, const LaunchOutcome *outcome) {
	Str *text = bind_str(L);
	launch_describe(outcome, text);
	while (text->len && text->text[text->len - 1] == '\n') text->len--;
	lua_pushlstring(L, text->len ? text->text : "", text->len);
	str_free(text);
	lua_remove(L, -2);
}

void bind_push_outcome(lua_State *L, const LaunchOutcome *outcome, const Str *output) {
	lua_createtable(L, 0, 6);
	set_text(L, "status", launch_status_name(outcome->status));
	lua_pushnumber(L, outcome->milliseconds);
	lua_setfield(L, -2, "ms");
	set_text(L, "message", outcome->status == LAUNCH_OK ? "" : outcome->message);
	push_report(L, outcome);
	lua_setfield(L, -2, "report");
	if (outcome->status == LAUNCH_FAULT) {
		push_fault(L, &outcome->fault);
		lua_setfield(L, -2, "fault");
	}
	lua_pushlstring(L, output->text ? output->text : "", output->len);
	lua_setfield(L, -2, "output");
	if (luaL_newmetatable(L, "gpulab.outcome")) {
		lua_pushcfunction(L, outcome_tostring);
		lua_setfield(L, -2, "__tostring");
	}
	lua_setmetatable(L, -2);
}
