/* internal.h: programs, which are modules not yet loaded: options, compiling, SASS. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "bind/internal.h"
#include "compile/ptx_file.h"
#include "emu/count/sass.h"

/* --- options ------------------------------------------------------------------------------------------------------ */

/* The lists of a job; texts belong to Lua values that the options table or the stack keeps. */
typedef struct {
	const char **names, **include, **options;
	bool parents, partial;
} Lists;

/* options[key]; leaves it on the stack. */
static const char **check_list(lua_State *L, int arg, const char *key, size_t extra) {
	size_t n;
	lua_getfield(L, arg, key);
	return bind_check_texts(L, -1, arg, key, extra, &n);
}

static size_t list_len(const char *const *list) {
	size_t n = 0;
	while (list[n]) n++;
	return n;
}

static int by_text(const void *a, const void *b) {
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The options, then -DNAME=VALUE for each define, sorted: Lua's order changes from run to run and would defeat the
 * cache. */
static const char **check_defines(lua_State *L, int arg) {
	const int type = lua_getfield(L, arg, "defines"), table = lua_gettop(L);
	size_t n = 0, had;
	if (type == LUA_TNIL) return check_list(L, arg, "options", 0);
	if (type != LUA_TTABLE) bind_bad(L, arg, "defines: a table expected, got %s", luaL_typename(L, -1));
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) n++;
	lua_getfield(L, arg, "options");
	const char **all = bind_check_texts(L, -1, arg, "options", n, &had);
	lua_newtable(L); /* keeps the texts */
	int texts = lua_gettop(L);
	size_t at = had;
	for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
		if (lua_type(L, -2) != LUA_TSTRING) bind_bad(L, arg, "defines: names expected as keys");
		const char *name = lua_tostring(L, -2);
		if (lua_isboolean(L, -1) && lua_toboolean(L, -1))
			all[at] = lua_pushfstring(L, "-D%s", name);
		else if (lua_type(L, -1) == LUA_TSTRING || lua_type(L, -1) == LUA_TNUMBER)
			all[at] = lua_pushfstring(L, "-D%s=%s", name, luaL_tolstring(L, -1, NULL));
		else
			bind_bad(L, arg, "defines.%s: string or number expected, got %s", name, luaL_typename(L, -1));
		lua_rawseti(L, texts, (lua_Integer)++at);
		lua_settop(L, texts + 2);
	}
	qsort(all + had, n, sizeof *all, by_text);
	return all;
}

/* Options' lists, with kernels/ among the include folders, and name (if not NULL) the one kernel wanted. */
static Lists check_compile_options(lua_State *L, int arg, const char *name) {
	static const char *const keys[] = {"names", "defines", "include", "options", "parents", "partial", NULL};
	Lists lists = {0};
	luaL_checkstack(L, 20, "compile");
	if (lua_isnoneornil(L, arg)) {
		lua_newtable(L);
		arg = lua_gettop(L);
	}
	luaL_checktype(L, arg, LUA_TTABLE);
	bind_check_keys(L, arg, arg, keys);
	lists.names = check_list(L, arg, "names", 1);
	if (name) lists.names[0] = name;
	if (name) lists.names[1] = NULL;
	if (!lists.names[0]) lists.names = NULL;
	bind_push_function(L, "gpulab.base.where", "folders");
	lua_pushliteral(L, "kernels");
	lua_call(L, 1, 1);
	size_t nfolders;
	const char **folders = bind_check_texts(L, -1, arg, "", 0, &nfolders);
	lists.include = check_list(L, arg, "include", nfolders);
	memcpy(lists.include + list_len(lists.include), folders, nfolders * sizeof *folders);
	lists.options = check_defines(L, arg);
	lua_getfield(L, arg, "parents");
	lists.parents = lua_toboolean(L, -1);
	lua_getfield(L, arg, "partial");
	lists.partial = lua_toboolean(L, -1);
	return lists;
}

/* --- compiling ---------------------------------------------------------------------------------------------------- */

/* The messages on the error object: as data, and as text for a terminal. */
static void attach_diagnostics(lua_State *L, const Diagnostics *diags) {
	static const char *const kinds[] = {"error", "warning", "note", NULL};
	static const Key keys[] = {KEY_NAME(Diagnostic, kind, kinds),
							   KEYS(Diagnostic, file, line, column, message, source_line), KEYS_END};
	luaL_Buffer b;
	bind_push_list(L, keys, diags->data, diags->len, sizeof *diags->data);
	lua_setfield(L, -2, "diagnostics");
	luaL_buffinit(L, &b);
	for (size_t i = 0; i < diags->len; i++) {
		char *text = diagnostic_render(&diags->data[i], true);
		luaL_addstring(&b, text);
		free(text);
		if (i + 1 < diags->len) luaL_addchar(&b, '\n');
	}
	luaL_pushresult(&b);
	lua_setfield(L, -2, "colored");
}

BIND_RELEASE(free_diagnostics, diagnostics_free)

static Compiled *run(lua_State *L, const CompileJob *job) {
	Err err = ERR_INIT;
	Compiled *compiled;
	Holder *holder = bind_hold(L, free_diagnostics);
	Diagnostics *diags = holder->data = xcalloc(1, sizeof *diags);
	if (!compile(job, &compiled, diags, &err)) {
		if (err.kind == ERR_INTERRUPTED)
			bind_interrupt_heard(); /* or it would be raised again, past whoever catches it */
		bind_push_error(L, err.kind, err.what, err.where, err.hint);
		if (err.kind == ERR_COMPILE && diags->len) attach_diagnostics(L, diags);
		bind_drop(holder);
		lua_error(L);
	}
	bind_drop(holder);
	lua_pop(L, 1);
	return compiled;
}

static void free_layouts(void *layouts) {
	layouts_free(layouts);
}

ModuleBox *bind_new_module(lua_State *L, DeviceBox *owner, int device) {
	ModuleBox *box = bind_box(L, sizeof *box, CLASS_MODULE, MODULE_VALUES);
	box->owner = owner;
	Holder *layouts = bind_hold(L, free_layouts);
	lua_setiuservalue(L, -2, MODULE_LAYOUTS);
	box->layouts = layouts;
	if (device)
		lua_pushvalue(L, device);
	else
		bind_gpu_device(L);
	lua_setiuservalue(L, -2, MODULE_DEVICE);
	return box;
}

static ModuleBox *new_module(lua_State *L, DeviceBox *owner, int first) {
	return bind_new_module(L, owner, first == 2 ? 1 : 0);
}

/* Its lists stay on the stack. */
static CompileJob job_of(lua_State *L, const ModuleBox *box, int options, const char *name) {
	const Lists lists = check_compile_options(L, options, name); /* a finalizer may close the device in the meantime */
	const DeviceInfo *info = device_info(bind_open(L, box->owner));
	return (CompileJob){.source = box->source,
						.source_bytes = box->source_bytes,
						.path = box->path,
						.cc = info->cc,
						.names = lists.names,
						.nothing_else = name != NULL,
						.for_emulator = !(info->can & CAN_RUN_SASS),
						.include_dirs = lists.include,
						.partial = lists.partial,
						.parents = lists.parents,
						.options = lists.options};
}

/* The module from the text box->source; stays on top of the stack. What a small one takes outside of Lua is reported,
 * so that modules of which many are made are collected in time. */
static void compile_module(lua_State *L, ModuleBox *box, int options, const char *name) {
	enum { SMALL = 256 << 10 }; /* bytes: measured, 190 KB for a kernel of one line */
	int top = lua_gettop(L);
	bind_collect_for(L, SMALL + box->source_bytes);
	const CompileJob job = job_of(L, box, options, name);
	box->compiled = run(L, &job);
	box->name = name ? xstrdup(name) : NULL;
	lua_pushvalue(L, options);
	lua_setiuservalue(L, top, MODULE_OPTIONS);
	lua_settop(L, top);
}

static ModuleBox *read_source(lua_State *L, DeviceBox *owner, int first) {
	const char *path = luaL_checkstring(L, first);
	ModuleBox *box = new_module(L, owner, first);
	bind_push_function(L, "gpulab.base.where", "find");
	lua_pushstring(L, path);
	lua_pushliteral(L, "kernels");
	lua_pushboolean(L, true);
	lua_call(L, 3, 1);
	box->path = xstrdup(lua_tostring(L, -1));
	lua_pop(L, 1);
	box->source = file_read(box->path, FILE_SOURCE_MOST, &box->source_bytes, bind_err());
	bind_must(L, box->source);
	return box;
}

ModuleBox *bind_program_of_file(lua_State *L, DeviceBox *owner, int first, int options, const char *name) {
	ModuleBox *box = read_source(L, owner, first);
	compile_module(L, box, options, name);
	return box;
}

ModuleBox *bind_program_of_text(lua_State *L, DeviceBox *owner, int first, int options) {
	size_t len;
	const char *source = luaL_checklstring(L, first, &len);
	if (strlen(source) != len) bind_bad(L, first, "the text holds a NUL byte");
	ModuleBox *box = new_module(L, owner, first);
	box->path = xstrdup("<prompt>");
	box->source = xstrdup(source);
	compile_module(L, box, options, NULL);
	return box;
}

/* sizeof and offsetof (which NVRTC lacks) as the compiler sees them: conditions and options may change what a
 * declaration says. Offsets of fields that are private cannot be asked for. */
bool bind_layout_is_right(lua_State *L, int module, const char *name, const Layout *layout, const char **why) {
	static const char *const names[] = {"gpulab_layout", NULL};
	ModuleBox *box = lua_touserdata(L, module);
	const int top = lua_gettop(L);
	Str *text = bind_str(L);
	str_addf(text, "%s\n__global__ void %s() {\nstatic_assert(sizeof(%s) == %zu && alignof(%s) == %zu", box->source,
			 names[0], name, layout->bytes, name, layout->align);
	for (size_t i = 0; i < layout->nfields && !layout->hidden; i++)
		str_addf(text, " && __INTADDR__(&((%s *)0)->%s) == %zu", name, layout->fields[i].name,
				 layout->fields[i].offset);
	str_add(text, ");\n}\n");
	lua_getiuservalue(L, module, MODULE_OPTIONS);
	CompileJob job = job_of(L, box, lua_gettop(L), NULL);
	job.source = text->text;
	job.names = names;
	job.nothing_else = job.for_emulator = true;
	Err err = ERR_INIT;
	Compiled *compiled = NULL;
	const bool ok = compile(&job, &compiled, NULL, &err);
	if (compiled) compiled_free(compiled);
	if (err.kind == ERR_INTERRUPTED || (err.kind && err.kind != ERR_COMPILE)) bind_raise(L, &err);
	lua_settop(L, top);
	if (err.kind && strstr(err.what, "undefined"))
		*why = "the compiler does not know that name, which may need its namespaces, as in \"lab::S\"";
	else
		*why = "the compiler lays it out differently from its declaration as it was read";
	return ok;
}

/* The cache keeps the result; an error is reported when the kernel is used. */
int bind_compile_ahead(lua_State *L) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	const char *name = luaL_checkstring(L, first + 1);
	lua_settop(L, first + 2);
	bind_program_of_file(L, owner, first, first + 2, name);
	return 0;
}

int bind_compile_prepare(lua_State *L) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	const char *name = luaL_checkstring(L, first + 1);
	lua_settop(L, first + 2);
	const CompileJob job = job_of(L, read_source(L, owner, first), first + 2, name);
	compile_prepare(&job);
	return 0;
}

/* --- SASS --------------------------------------------------------------------------------------------------------- */

static void free_compiled(void *compiled) {
	compiled_free(compiled);
}

/* The program was compiled for an emulator, which needs none: once more, with one. */
static void add_cubin(lua_State *L, ModuleBox *box, int options) {
	CompileJob job = job_of(L, box, options, box->name);
	job.for_emulator = false;
	if (is_ptx_file(box->path)) luaL_error(L, "%s is PTX: nothing here makes SASS of it", box->path);
	Holder *holder = bind_hold(L, free_compiled);
	Compiled *with = holder->data = run(L, &job), *own = box->compiled;
	if (strcmp(with->ptx, own->ptx) != 0)
		luaL_error(L, "%s: its headers or options are not those it was compiled with: compile it again", box->path);
	own->cubin = arena_strndup(own->arena, with->cubin, with->cubin_bytes);
	own->cubin_bytes = with->cubin_bytes;
	bind_drop(holder);
}

void bind_cubins_free(ModuleBox *box) {
	for (size_t i = 0; i < box->cubins.len; i++) compiled_free(box->cubins.data[i]);
	vec_free(&box->cubins);
}

/* The program for that compute capability, with a cubin; NULL: NVRTC makes none. For what is too old it takes the
 * oldest that it knows. */
static const Compiled *assembled_for(lua_State *L, int module, uint32_t cc) {
	static uint32_t oldest;
	ModuleBox *box = lua_touserdata(L, module);
	Err err = ERR_INIT;
	Compiled *compiled = NULL;
	if (cc < oldest) return NULL;
	if (box->compiled->cubin_bytes && box->compiled->cc == cc) return box->compiled;
	for (size_t i = 0; i < box->cubins.len; i++)
		if (box->cubins.data[i]->cc == cc) return box->cubins.data[i];
	if (box->of_program || is_ptx_file(box->path)) return NULL;
	lua_getiuservalue(L, module, MODULE_OPTIONS);
	CompileJob job = job_of(L, box, lua_gettop(L), box->name);
	job.cc = cc;
	job.for_emulator = false;
	if (compile(&job, &compiled, NULL, &err)) {
		vec_push(&box->cubins, compiled);
		if (compiled->cc > cc) oldest = compiled->cc;
	}
	if (err.kind == ERR_INTERRUPTED) bind_raise(L, &err);
	return compiled && compiled->cc == cc ? compiled : NULL;
}

void bind_assemble(lua_State *L, const Gpu *gpu) {
	const int kernel = lua_gettop(L);
	const KernelBox *box = lua_touserdata(L, kernel);
	if (device_kernel_is_assembled(box->kernel, gpu->cc)) return;
	lua_getiuservalue(L, kernel, 1);
	const bool has_cubins = !gpu->generation->tesla_isa;
	const Compiled *compiled = has_cubins ? assembled_for(L, kernel + 1, gpu->cc) : NULL;
	const char *linked = compiled ? compiled_linked_name(compiled, box->info.name) : NULL;
	const char *name = linked ? linked : box->info.name;
	Assembled assembled = {.cc = gpu->cc};
	if (compiled) {
		assembled.registers = sass_registers(compiled->cubin, compiled->cubin_bytes, name);
		assembled.local_bytes = sass_local_bytes(compiled->cubin, compiled->cubin_bytes, name);
	}
	bind_open(L, box->owner); /* a finalizer may have closed the device in the meantime */
	device_kernel_assembled(box->kernel, assembled);
	lua_settop(L, kernel);
}

const Compiled *bind_compiled_with_cubin(lua_State *L, int module) {
	const int top = lua_gettop(L);
	ModuleBox *box = lua_touserdata(L, module);
	lua_getiuservalue(L, module, MODULE_OPTIONS);
	if (!box->compiled->cubin_bytes && !box->of_program) add_cubin(L, box, top + 1);
	lua_settop(L, top);
	return box->compiled;
}
