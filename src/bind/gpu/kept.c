/* What a launch of a program was given (exec/kept.h), and how the launch is made again on another emulator. */
#include "exec/kept.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "bind/internal.h"
#include "bind/values/set.h"
#include "compile/kernels.h"
#include "compile/ptx_file.h"

#define CLASS_KEPT "gpulab.kept"

typedef struct {
	Kept *kept; /* NULL: closed */
} KeptBox;

void bind_push_kept(lua_State *L, Kept *kept) {
	KeptBox *box = bind_box(L, sizeof *box, CLASS_KEPT, 0);
	box->kept = kept_share(kept);
}

static Kept *check_kept(lua_State *L) {
	KeptBox *box = luaL_checkudata(L, 1, CLASS_KEPT);
	if (!box->kept) bind_bad(L, 1, "the inputs are closed");
	return box->kept;
}

static int kept_gc(lua_State *L) {
	KeptBox *box = luaL_checkudata(L, 1, CLASS_KEPT);
	Kept *kept = box->kept;
	box->kept = NULL;
	kept_drop(kept);
	return 0;
}

/* --- kept:kernel(device) ------------------------------------------------------------------------------------------ */

static Compiled *compiled_of(const Kept *kept, Err *err) {
	AUTO_STR Str code = {0};
	kept_code(kept, &code);
	const CompileJob job = {.source = code.text, .path = kept->name};
	const char *const name[] = {kept->name};
	CompileText linked = {0};
	linked.text = kept->kernel;
	Compiled *compiled = compiled_from_ptx(&job, err);
	if (!compiled) return NULL;
	kernels_collect(compiled, name, &linked, 1);
	compiled->by_sass = kept->cubin != NULL;
	if (!kept->cubin) return compiled;
	compiled->cubin = arena_strndup(compiled->arena, (const char *)kept->cubin->data, kept->cubin->bytes);
	compiled->cubin_bytes = kept->cubin->bytes;
	return compiled;
}

/* The file that the kernel is in, as far as the PTX says. */
static const char *file_of(const Compiled *compiled, const char *kernel) {
	const PtxFunction *f = ptx_function(compiled->module, kernel);
	for (uint32_t i = 0; f && i < f->ninstrs; i++)
		if (f->instrs[i].file && !f->instrs[i].inlined_at) return compiled->module->files[f->instrs[i].file];
	return "";
}

static int kept_kernel(lua_State *L) {
	const Kept *kept = check_kept(L);
	DeviceBox *owner = bind_check_device(L, 2);
	ModuleBox *box = bind_new_module(L, owner, 2);
	box->of_program = true;
	box->compiled = compiled_of(kept, bind_err());
	bind_must(L, box->compiled);
	box->path = xstrdup(file_of(box->compiled, kept->kernel));
	box->source = *box->path ? file_read(box->path, FILE_SOURCE_MOST, &box->source_bytes, NULL) : NULL;
	if (!box->source) box->source = xstrdup("");
	bind_must(L, device_load(bind_open(L, owner), box->compiled, &box->module, bind_err()));
	return bind_push_kernel(L, -1, kept->name);
}

/* --- what it was given -------------------------------------------------------------------------------------------- */

/* What parameters point to whose address is in the buffer; false: not known, or there is no whole number of it. */
static bool find_type(const Kept *kept, const ParamType *types, size_t n, const KeptBuffer *b, ElemType *type) {
	for (uint32_t i = 0; n == kept->nparams && i < kept->nparams; i++) {
		const ParamPlace *p = &kept->places[i];
		const Pointee to = bind_pointee(&types[i]);
		uint64_t addr;
		if (to.kind != POINTEE_NUMBER || p->size != sizeof addr) continue;
		memcpy(&addr, kept->params->data + p->offset, sizeof addr);
		const size_t size = elem_bytes(to.elem), bytes = b->contents->bytes;
		*type = to.elem;
		if (addr - b->addr < bytes && (addr - b->addr) % size == 0 && bytes % size == 0) return true;
	}
	*type = ELEM_U8;
	return false;
}

/* {{name, address, bytes, type, count, typed}, ...} by address; typed: a parameter of the kernel has the type. */
static int kept_buffers(lua_State *L) {
	const Kept *kept = check_kept(L);
	ParamType types[MOST_PARAMS];
	const size_t ntypes = mangled_parameters(kept->kernel, types, MOST_PARAMS);
	lua_createtable(L, (int)kept->nbuffers, 0);
	for (size_t i = 0; i < kept->nbuffers; i++) {
		const KeptBuffer *b = &kept->buffers[i];
		ElemType type;
		lua_createtable(L, 0, 6);
		set_flag(L, "typed", find_type(kept, types, ntypes, b, &type));
		set_text(L, "type", elem_name(type));
		set_count(L, "count", (lua_Integer)(b->contents->bytes / elem_bytes(type)));
		set_text(L, "name", b->name);
		set_count(L, "address", (lua_Integer)b->addr);
		set_count(L, "bytes", (lua_Integer)b->contents->bytes);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* {{name, type, address, bytes}, ...}: allocations that it was given and that had been freed. */
static int kept_freed(lua_State *L) {
	const Kept *kept = check_kept(L);
	lua_createtable(L, (int)kept->nfreed, 0);
	for (size_t i = 0; i < kept->nfreed; i++) {
		lua_createtable(L, 0, 3);
		set_text(L, "name", kept->freed[i].name);
		set_text(L, "type", elem_name(ELEM_U8));
		set_count(L, "address", (lua_Integer)kept->freed[i].addr);
		set_count(L, "bytes", (lua_Integer)kept->freed[i].bytes);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static void restore_buffers(lua_State *L, const Kept *kept, Device *device, int table) {
	for (size_t i = 0; i < kept->nbuffers; i++) {
		lua_rawgeti(L, table, (lua_Integer)i + 1);
		const BufferBox *box = bind_check_buffer(L, lua_gettop(L));
		const Blob *contents = kept->buffers[i].contents;
		if (box->count * elem_bytes(box->type) != contents->bytes) bind_bad(L, table, "not the launch's buffers");
		bind_must(L, device_upload(device, box->buffer, 0, contents->data, box->count, bind_err()));
		lua_pop(L, 1);
	}
}

static void restore_variables(lua_State *L, const Kept *kept, Device *device, DeviceModule *module) {
	for (size_t i = 0; i < kept->nvariables; i++) {
		const KeptVariable *v = &kept->variables[i];
		uint32_t symbol;
		if (!v->contents || !device_symbol(module, v->name, &symbol, NULL)) continue;
		bind_must(L,
				  device_symbol_upload(device, module, symbol, 0, v->contents->data, v->contents->bytes, bind_err()));
	}
}

/* kept:restore(kernel, buffers): what they held before the launch; buffers: one for each of kept:buffers(). */
static int kept_restore(lua_State *L) {
	const Kept *kept = check_kept(L);
	const KernelBox *kernel = bind_check_kernel(L, 2);
	luaL_checktype(L, 3, LUA_TTABLE);
	Device *device = bind_open(L, kernel->owner);
	restore_buffers(L, kept, device, 3);
	restore_variables(L, kept, device, kernel->module->module);
	return 0;
}

static int kept_config(lua_State *L) {
	bind_push_config(L, &check_kept(L)->config);
	return 1;
}

/* Of the buffer in which the address is, its number; or just behind which, where it is in none. -1: of none. */
static int buffer_at(const Kept *kept, uint64_t addr) {
	int behind = -1;
	for (size_t i = 0; i < kept->nbuffers; i++) {
		const uint64_t offset = addr - kept->buffers[i].addr;
		if (offset < kept->buffers[i].contents->bytes) return (int)i;
		if (offset == kept->buffers[i].contents->bytes) behind = (int)i;
	}
	return behind;
}

/* Addresses in a parameter are those of the buffers in the table. Each takes eight bytes at a multiple of eight. */
static void find_pointers(lua_State *L, const Kept *kept, int table, RawBox *raw, ArgPointer *pointers) {
	for (size_t at = 0; at + sizeof(uint64_t) <= raw->bytes; at += sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, raw->data + at, sizeof word);
		const int i = buffer_at(kept, word);
		if (i < 0) continue;
		lua_rawgeti(L, table, (lua_Integer)i + 1);
		const BufferBox *box = bind_check_buffer(L, lua_gettop(L));
		if (raw->owner && raw->owner != box->owner) bind_bad(L, table, "buffers of one device expected");
		raw->owner = box->owner;
		pointers[raw->npointers++] = (ArgPointer){at, box->buffer, word - kept->buffers[i].addr};
		lua_pop(L, 1);
	}
	raw->pointers = pointers;
}

/* kept:args() -> the parameters as arguments: their bytes. kept:args(buffers): for buffers elsewhere, one for each of
 * kept:buffers(); addresses in what they hold stay as they are. */
static int kept_args(lua_State *L) {
	const Kept *kept = check_kept(L);
	const bool elsewhere = !lua_isnoneornil(L, 2);
	if (elsewhere) luaL_checktype(L, 2, LUA_TTABLE);
	lua_createtable(L, (int)kept->nparams, 0);
	for (uint32_t i = 0; i < kept->nparams; i++) {
		const ParamPlace *p = &kept->places[i];
		const size_t words = p->size / sizeof(uint64_t), data = (sizeof(RawBox) + p->size + 15) / 16 * 16;
		RawBox *raw = bind_box(L, data + (elsewhere ? words * sizeof(ArgPointer) : 0), CLASS_RAW, 0);
		raw->bytes = p->size;
		memcpy(raw->data, kept->params->data + p->offset, p->size);
		if (elsewhere) find_pointers(L, kept, 2, raw, (ArgPointer *)((uint8_t *)raw + data));
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* --- what it left ------------------------------------------------------------------------------------------------- */

/* Piece by piece, where no digest is made. */
static bool same_pieces(lua_State *L, Device *device, const BufferBox *box, const uint8_t *expected) {
	const size_t size = elem_bytes(box->type), most = LOOK_BYTES / size;
	void *room = lua_newuserdatauv(L, LOOK_BYTES, 0);
	bool same = true;
	for (size_t at = 0; same && at < box->count; at += most) {
		const size_t n = box->count - at < most ? box->count - at : most;
		const void *got = device_look(device, box->buffer, at, n, room, bind_err());
		bind_must(L, got != NULL);
		same = memcmp(got, expected + at * size, n * size) == 0;
	}
	lua_pop(L, 1);
	return same;
}

static bool same_buffer(lua_State *L, const Kept *kept, size_t i, Device *device, const BufferBox *box) {
	const KeptBuffer *b = &kept->buffers[i];
	const uint8_t *expected = backend_view(kept->now, b->addr, b->contents->bytes);
	Digest there, here;
	if (!expected || box->count * elem_bytes(box->type) != b->contents->bytes)
		bind_bad(L, 3, "not the launch's buffers");
	if (device_digest(device, box->buffer, &there) && device_digest_of(device, expected, b->contents->bytes, &here))
		return memcmp(&there, &here, sizeof here) == 0;
	return same_pieces(L, device, box, expected);
}

static bool same_variable(lua_State *L, const Kept *kept, const KeptVariable *v, Device *device, DeviceModule *module) {
	const size_t bytes = v->contents ? v->contents->bytes : 0;
	SymbolPlace place;
	uint32_t symbol;
	if (!bytes || !device_symbol(module, v->name, &symbol, NULL)) return true;
	uint8_t *got = lua_newuserdatauv(L, 2 * bytes + 1, 0);
	bind_must(L, backend_symbol(kept->now, (SymbolRequest){kept->module, v->name}, &place, bind_err()) &&
					 backend_download(kept->now, place.addr, got + bytes, bytes, bind_err()) &&
					 device_symbol_download(device, module, symbol, 0, got, bytes, bind_err()));
	const bool same = memcmp(got, got + bytes, bytes) == 0;
	lua_pop(L, 1);
	return same;
}

/* kept:differs(kernel, buffers) -> the name of a buffer or variable that the launch, made again, left with other
 * contents than the program's did; nil: of none. Only while that is reported. */
static int kept_differs(lua_State *L) {
	const Kept *kept = check_kept(L);
	const KernelBox *kernel = bind_check_kernel(L, 2);
	luaL_checktype(L, 3, LUA_TTABLE);
	Device *device = bind_open(L, kernel->owner);
	if (!kept->now) bind_bad(L, 1, "the launch is not the one that is reported");
	for (size_t i = 0; i < kept->nbuffers; i++) {
		lua_rawgeti(L, 3, (lua_Integer)i + 1);
		lua_pushstring(L, kept->buffers[i].name);
		if (!same_buffer(L, kept, i, device, bind_check_buffer(L, lua_gettop(L) - 1))) return 1;
		lua_pop(L, 2);
	}
	for (size_t i = 0; i < kept->nvariables; i++) {
		lua_pushstring(L, kept->variables[i].name);
		if (!same_variable(L, kept, &kept->variables[i], device, kernel->module->module)) return 1;
		lua_pop(L, 1);
	}
	return 0;
}

static int kept_forget_inputs_(lua_State *L) {
	kept_forget_inputs(check_kept(L));
	return 0;
}

static const void *members_of(lua_State *L, const void *box) {
	return ((const KeptBox *)box)->kept;
}

static const luaL_Reg methods[] = {{"kernel", kept_kernel},   {"buffers", kept_buffers},
								   {"freed", kept_freed},     {"restore", kept_restore},
								   {"config", kept_config},   {"args", kept_args},
								   {"differs", kept_differs}, {"forget_inputs", kept_forget_inputs_},
								   {"close", kept_gc},        {NULL, NULL}};
static const Key keys[] = {KEYS(Kept, name, kernel), KEYS_END};

const BindClass bind_kept_class = {
	.metatable = CLASS_KEPT, .methods = methods, .keys = keys, .members = members_of, .release = kept_gc};
const BindClass bind_raw_class = {.metatable = CLASS_RAW};
