/* Launch configurations, kernel arguments checked against the kernel's PTX parameters, and outcomes. */
#include <stdio.h>
#include <string.h>

#include "bind/internal.h"
#include "bind/values/set.h"

/* --- configuration: {grid=, block=, shared=, timeout=} ------------------------------------------------------------ */

static const Key config_keys[] = {KEY_AS(LaunchConfig, grid, "grid", .least = 1, .most = UINT32_MAX, .flags = NEEDED),
								  KEY_AS(LaunchConfig, block, "block", .least = 1, .most = UINT32_MAX, .flags = NEEDED),
								  KEY_KNOWN(LaunchConfig, cluster, "cluster", .least = 1, .most = 16),
								  KEY_KNOWN(LaunchConfig, shared_bytes, "shared", .most = INT32_MAX),
								  KEY_KNOWN(LaunchConfig, timeout_ms, "timeout", .most = INT32_MAX),
								  KEY_KNOWN(LaunchConfig, heap_bytes, "heap", .most = INT64_C(1) << 36),
								  KEY_KNOWN(LaunchConfig, schedule, "schedule", .most = INT32_MAX),
								  KEY_KNOWN(LaunchConfig, work_limit, "work_limit", .most = INT64_MAX / 2),
								  KEYS_KNOWN(LaunchConfig, cooperative, crowded),
								  KEYS_END};

void bind_check_config_at(lua_State *L, int table, int arg, const char *prefix, LaunchConfig *out) {
	LaunchConfig config = {0};
	bind_read_keys_at(L, table, arg, prefix, config_keys, &config);
	config.repeatable = lua_getfield(L, table, "schedule") != LUA_TNIL;
	lua_pop(L, 1);
	*out = config;
}

void bind_check_config(lua_State *L, int arg, LaunchConfig *out) {
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_config_at(L, arg, arg, "", out);
}

void bind_push_config(lua_State *L, const LaunchConfig *config) {
	bind_push_keys(L, config_keys, config);
	if (config->repeatable) set_count(L, "schedule", (lua_Integer)config->schedule);
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static bool agrees(const ParamType *cxx, PtxType ptx, size_t bytes) {
	switch (cxx->kind) {
	case PARAM_POINTER: return bytes == 8;
	case PARAM_BOOL: return bytes == 1;
	case PARAM_SCALAR:
		return bytes == elem_bytes(cxx->elem) && (ptx != T_F32 && ptx != T_F64) == !elem_is_float(cxx->elem);
	default: return true;
	}
}

void bind_read_signature(KernelBox *box, const char *linked) {
	size_t n = mangled_parameters(linked, box->signature, MOST_PARAMS);
	bool sure = n == box->info.nparams;
	for (uint32_t i = 0; i < n && sure; i++) {
		size_t bytes;
		PtxType ptx = device_kernel_param(box->kernel, i, &bytes);
		sure = agrees(&box->signature[i], ptx, bytes);
	}
	box->nsignature = sure ? n : 0;
}

const char *bind_push_signature(lua_State *L, const KernelBox *box) {
	luaL_Buffer b;
	luaL_buffinit(L, &b);
	luaL_addstring(&b, box->info.name);
	if (box->nsignature) luaL_addchar(&b, '(');
	for (size_t i = 0; i < box->nsignature; i++) {
		char name[32];
		param_name(&box->signature[i], name, sizeof name);
		if (i) luaL_addstring(&b, ", ");
		luaL_addstring(&b, *name ? name : "...");
	}
	if (box->nsignature) luaL_addchar(&b, ')');
	luaL_pushresult(&b);
	return lua_tostring(L, -1);
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

typedef struct {
	const KernelBox *kernel;
	int from, table; /* as bind_check_args */
	uint32_t i;
	int keep;      /* the table that keeps what the arguments point to */
	ParamType cxx; /* what C++ calls it; else only the next two are known */
	PtxType ptx;
	size_t bytes;
} Param;

static bool is_bytes(const Param *p) { /* a structure: an array of .b8 */
	return p->cxx.kind == PARAM_UNKNOWN && p->bytes != ptx_type_bytes(p->ptx);
}

/* "is float*: a buffer expected" */
static const char *describe(lua_State *L, const Param *p) {
	char name[32];
	param_name(&p->cxx, name, sizeof name);
	const Pointee to = bind_pointee(&p->cxx);
	if (to.kind == POINTEE_NUMBER)
		return lua_pushfstring(L, "is %s: a buffer of %s expected", name, elem_name(to.elem));
	if (p->cxx.kind == PARAM_POINTER) return lua_pushfstring(L, "is %s: a buffer expected", name);
	if (*name && !is_bytes(p)) return lua_pushfstring(L, "is %s", name);
	if (is_bytes(p) && *name)
		return lua_pushfstring(
			L, "is %s: a table of its fields, or a string of %d bytes as string.pack makes it, expected", name,
			(int)p->bytes);
	if (is_bytes(p))
		return lua_pushfstring(
			L, "is a structure of %d bytes: a table of its fields, or a string as string.pack makes it expected",
			(int)p->bytes);
	if (p->ptx == T_F32 || p->ptx == T_F64 || p->ptx == T_F16)
		return lua_pushfstring(L, "is .%s: a number expected", ptx_type_name(p->ptx));
	if (p->bytes == 8)
		return lua_pushfstring(L, "is .%s: a buffer or a 64-bit integer expected", ptx_type_name(p->ptx));
	return lua_pushfstring(L, "is .%s: a %d-bit integer expected", ptx_type_name(p->ptx), (int)p->bytes * 8);
}

static void complain(lua_State *L, const Param *p, const char *got) {
	const char *wants = describe(L, p), *name = p->kernel->info.name;
	if (p->table) bind_bad(L, p->table, "[%u]: parameter %u of %s %s, got %s", p->i + 1, p->i + 1, name, wants, got);
	luaL_error(L, "bad argument #%d: parameter %d of %s %s, got %s", (int)p->i + 1, (int)p->i + 1, name, wants, got);
}

/* A buffer or a place in one. */
static void pass_buffer(lua_State *L, const Param *p, BufferBox *box, size_t offset, Arg *out) {
	bool taken = p->cxx.kind == PARAM_POINTER || (p->cxx.kind == PARAM_UNKNOWN && p->bytes == 8 && !is_bytes(p));
	const Pointee to = bind_pointee(&p->cxx);
	const char *why;
	if (!box->open || !box->owner->device)
		complain(L, p, lua_pushfstring(L, "the closed %s", bind_buffer_text(L, box)));
	if (!taken) complain(L, p, lua_pushfstring(L, "%s %s", *box->name ? "the" : "a", bind_buffer_text(L, box)));
	if (box->owner != p->kernel->owner)
		complain(L, p, lua_pushfstring(L, "the %s of another device", bind_buffer_text(L, box)));
	if (!bind_pointee_takes(L, to.kind == POINTEE_CLASS ? bind_layouts(p->kernel->module) : NULL, &to, box, &why))
		complain(L, p, why);
	*out = (Arg){.kind = ARG_BUFFER, .buffer = box->buffer, .offset = offset};
}

/* An object is a 64-bit integer to PTX and to C++. */
static void pass_texture(lua_State *L, const Param *p, const TextureBox *box, Arg *out) {
	const char *what = box->surface ? "surface" : "texture";
	const bool scalar = p->cxx.kind == PARAM_SCALAR && p->cxx.elem == ELEM_U64;
	if (!box->open || !box->owner->device) complain(L, p, lua_pushfstring(L, "a closed %s", what));
	if (!scalar && (p->cxx.kind != PARAM_UNKNOWN || p->bytes != 8 || is_bytes(p)))
		complain(L, p, lua_pushfstring(L, "a %s", what));
	if (box->owner != p->kernel->owner) complain(L, p, lua_pushfstring(L, "a %s of another device", what));
	*out = (Arg){.kind = ARG_BUFFER, .buffer = box->texture};
}

/* PTX types have no sign: either range is valid. */
static void pass_integer(lua_State *L, const Param *p, int idx, Arg *out) {
	int whole;
	lua_Integer v = lua_tointegerx(L, idx, &whole);
	if (lua_isboolean(L, idx))
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

static void pass_number(lua_State *L, const Param *p, int idx, ElemType type, Arg *out) {
	const char *why;
	if (lua_isboolean(L, idx) && !elem_is_float(type)) {
		elem_set_int(type, out->value, lua_toboolean(L, idx));
		return;
	}
	if (lua_type(L, idx) != LUA_TNUMBER) complain(L, p, luaL_typename(L, idx));
	if (!bind_to_element(L, idx, type, out->value, &why))
		complain(L, p, lua_pushfstring(L, "%s, which does not fit", luaL_tolstring(L, idx, NULL)));
}

/* __half and __nv_bfloat16 are structures in PTX, but take numbers. */
static void pass_bytes(lua_State *L, const Param *p, int idx, Arg *out) {
	char name[32];
	ElemType elem;
	param_name(&p->cxx, name, sizeof name);
	if (lua_type(L, idx) == LUA_TNUMBER && p->bytes == 2 && elem_parse(name, &elem) && elem_is_float(elem)) {
		pass_number(L, p, idx, elem, out);
		return;
	}
	const char *why = "a value that does not fit";
	const Structure s = {.kernel = p->kernel, .cxx = &p->cxx, .bytes = p->bytes, .keep = p->keep};
	const char *misfit = NULL;
	if (bind_to_tensor_map(L, idx, &s, out, &misfit)) {
		if (misfit) complain(L, p, misfit);
		return;
	}
	if (!bind_to_structure(L, idx, &s, out, &why)) complain(L, p, why);
}

/* A null pointer is written 0; any other number is a mistake. */
static void pass_null(lua_State *L, const Param *p, int idx) {
	if (!lua_isinteger(L, idx) || lua_tointeger(L, idx) != 0)
		complain(L, p, lua_type(L, idx) == LUA_TNUMBER ? luaL_tolstring(L, idx, NULL) : luaL_typename(L, idx));
}

static void check_arg(lua_State *L, const Param *p, Arg *out) {
	int idx = p->from + (int)p->i;
	BufferBox *buffer = bind_test_buffer(L, idx);
	const PointerBox *pointer = bind_test_pointer(L, idx);
	const TextureBox *texture = bind_test_texture(L, idx);
	const RawBox *raw = luaL_testudata(L, idx, CLASS_RAW);
	*out = (Arg){.kind = ARG_VALUE};
	if (raw && raw->bytes == p->bytes && (!raw->owner || raw->owner == p->kernel->owner))
		*out = (Arg){.kind = ARG_BYTES, /* which the arguments' table keeps */
					 .bytes = raw->data,
					 .pointers = raw->pointers,
					 .npointers = raw->npointers};
	else if (buffer || pointer)
		pass_buffer(L, p, buffer ? buffer : pointer->buffer, buffer ? 0 : pointer->offset, out);
	else if (texture)
		pass_texture(L, p, texture, out);
	else if (p->cxx.kind == PARAM_POINTER)
		pass_null(L, p, idx);
	else if (p->cxx.kind == PARAM_SCALAR)
		pass_number(L, p, idx, p->cxx.elem, out);
	else if (is_bytes(p))
		pass_bytes(L, p, idx, out);
	else if (p->ptx == T_F32)
		pass_number(L, p, idx, ELEM_F32, out);
	else if (p->ptx == T_F64)
		pass_number(L, p, idx, ELEM_F64, out);
	else if (p->ptx == T_F16)
		pass_number(L, p, idx, ELEM_F16, out);
	else
		pass_integer(L, p, idx, out);
}

static void check_number(lua_State *L, const KernelBox *kernel, int n, int table) {
	uint32_t wants = kernel->info.nparams;
	if ((uint32_t)n == wants) return;
	const char *text = lua_pushfstring(L, "%s takes %d argument%s, got %d", bind_push_signature(L, kernel), (int)wants,
									   wants == 1 ? "" : "s", n);
	if (table) bind_bad(L, table, "%s", text);
	luaL_error(L, "%s", text);
}

Arg *bind_check_args(lua_State *L, const KernelBox *kernel, int from, int n, int table) {
	luaL_checkstack(L, 20, "too many arguments");
	check_number(L, kernel, n, table);
	Arg *args = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *args, 1);
	lua_newtable(L);
	lua_pushvalue(L, -1);
	lua_setiuservalue(L, -3, 1);
	const int top = lua_gettop(L);
	for (uint32_t i = 0; i < (uint32_t)n; i++) {
		Param p = {.kernel = kernel, .from = from, .table = table, .i = i, .keep = top};
		if (i < kernel->nsignature) p.cxx = kernel->signature[i];
		bind_open(L, kernel->owner); /* the kernel goes with its device, which reading config may have closed */
		p.ptx = device_kernel_param(kernel->kernel, i, &p.bytes);
		check_arg(L, &p, &args[i]);
		lua_settop(L, top);
	}
	lua_pop(L, 1);
	return args;
}
