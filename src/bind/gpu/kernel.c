/* Modules and kernels: compiling, launching, what a kernel needs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "bind/internal.h"

/* --- compiling ---------------------------------------------------------------------------------------------------- */

static void load(lua_State *L, ModuleBox *box) {
	bind_must(L, device_load(bind_open(L, box->owner), box->compiled, &box->module, bind_err()));
}

static ModuleBox *module_of_file(lua_State *L, DeviceBox *owner, int first, int options, const char *name) {
	ModuleBox *box = bind_program_of_file(L, owner, first, options, name);
	load(L, box);
	return box;
}

int bind_compile(lua_State *L) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	lua_settop(L, first + 1);
	module_of_file(L, owner, first, first + 1, NULL);
	return 1;
}

int bind_compile_text(lua_State *L) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	lua_settop(L, first + 1);
	ModuleBox *box = bind_program_of_text(L, owner, first, first + 1);
	load(L, box);
	return 1;
}

/* --- modules ------------------------------------------------------------------------------------------------------ */

int bind_push_kernel(lua_State *L, int module, const char *name) {
	module = lua_absindex(L, module);
	ModuleBox *m = lua_touserdata(L, module);
	KernelBox *box = bind_box(L, sizeof *box, CLASS_KERNEL, 2);
	box->owner = m->owner;
	box->module = m;
	lua_pushvalue(L, module);
	lua_setiuservalue(L, -2, 1);
	lua_getiuservalue(L, module, 1);
	lua_setiuservalue(L, -2, 2);
	DeviceKernel *kernel;
	bind_must(L, device_kernel(bind_open(L, m->owner), m->module, name, &kernel, bind_err()) &&
					 device_kernel_info(bind_open(L, m->owner), kernel, &box->info, bind_err()));
	box->kernel = kernel;
	const char *linked = compiled_linked_name(m->compiled, name);
	bind_read_signature(box, linked ? linked : name);
	return 1;
}

int bind_kernel(lua_State *L) {
	int first;
	DeviceBox *owner = bind_device_arg(L, &first);
	const char *name = luaL_checkstring(L, first + 1);
	lua_settop(L, first + 2);
	module_of_file(L, owner, first, first + 2, name);
	return bind_push_kernel(L, -1, name);
}

static ModuleBox *check_module(lua_State *L, int arg) {
	ModuleBox *box = luaL_checkudata(L, arg, CLASS_MODULE);
	if (!box->module || !box->owner->device) bind_bad(L, arg, "the module is closed with its device");
	return box;
}

static int module_kernel(lua_State *L) {
	check_module(L, 1);
	return bind_push_kernel(L, 1, luaL_checkstring(L, 2));
}

static int module_gc(lua_State *L) {
	ModuleBox *box = luaL_checkudata(L, 1, CLASS_MODULE);
	if (box->module && box->owner->device) device_unload(box->owner->device, box->module);
	if (box->compiled) compiled_free(box->compiled);
	bind_cubins_free(box);
	free(box->path);
	free(box->source);
	free(box->name);
	box->module = NULL;
	box->compiled = NULL;
	box->path = box->source = box->name = NULL;
	return 0;
}

/* What the linked name says of parameters that the text does not have: "float*, int". */
static void push_parameters(lua_State *L, const char *linked) {
	ParamType types[MOST_PARAMS];
	const size_t n = mangled_parameters(linked, types, MOST_PARAMS), len = strlen(linked);
	const bool none = strncmp(linked, "_Z", 2) == 0 && linked[len - 1] == 'v';
	luaL_Buffer b;
	luaL_buffinit(L, &b);
	if (!n && !none) luaL_addstring(&b, "...");
	for (size_t i = 0; i < n; i++) {
		char name[64];
		param_name(&types[i], name, sizeof name);
		const bool untyped = types[i].kind == PARAM_POINTER && !types[i].typed && !types[i].name;
		if (i) luaL_addstring(&b, ", ");
		luaL_addstring(&b, untyped ? "void*" : *name ? name : "...");
	}
	luaL_pushresult(&b);
}

/* Those of the source, its headers, and macros; templates too, in their order. */
static void push_kernels(lua_State *L, const Compiled *c) {
	static const Key keys[] = {KEYS(CompiledKernel, name, plain, parameters, file, error, line),
							   KEY_AS(CompiledKernel, template_, "template"), KEYS_END};
	bind_push_list(L, keys, c->kernels, c->nkernels, sizeof *c->kernels);
	for (uint32_t i = 0; i < c->nkernels; i++) {
		const CompiledKernel *k = &c->kernels[i];
		lua_rawgeti(L, -1, (lua_Integer)i + 1);
		if (!k->parameters && k->linked) {
			push_parameters(L, k->linked);
			lua_setfield(L, -2, "parameters");
		}
		if (!k->line) {
			lua_pushnil(L);
			lua_setfield(L, -2, "line");
		}
		lua_pop(L, 1);
	}
}

static const void *compiled_of(lua_State *L, const void *data) {
	return ((const ModuleBox *)data)->compiled;
}

static bool module_field(lua_State *L, void *data, const char *name) {
	ModuleBox *box = data;
	const Compiled *c = box->compiled;
	if (!c) return false;
	if (strcmp(name, "names") == 0) {
		lua_createtable(L, (int)c->nnames, 0);
		for (size_t i = 0; i < c->nnames; i++) {
			lua_pushstring(L, c->names[i].name);
			lua_rawseti(L, -2, (lua_Integer)i + 1);
		}
	} else if (strcmp(name, "kernels") == 0)
		push_kernels(L, c);
	else if (strcmp(name, "program") == 0)
		lua_pushboolean(L, box->of_program);
	else if (strcmp(name, "log") == 0)
		lua_pushstring(L, c->log ? c->log : "");
	else
		lua_pushstring(L, strcmp(name, "source") == 0 ? box->source : box->path);
	return true;
}

static int module_tostring(lua_State *L) {
	ModuleBox *box = luaL_checkudata(L, 1, CLASS_MODULE);
	lua_pushfstring(L, "module %s", box->path ? box->path : "(closed)");
	for (size_t i = 0; box->compiled && i < box->compiled->nnames; i++) {
		lua_pushfstring(L, "%s%s", i ? ", " : ": ", box->compiled->names[i].name);
		lua_concat(L, 2);
	}
	return 1;
}

static const luaL_Reg module_methods[] = {
	{"kernel", module_kernel}, {"symbol", bind_symbol}, {"buffer", bind_module_buffer}, {NULL, NULL}};
static const Key module_keys[] = {KEY_AS(Compiled, from_cache, "cached"), KEY_AS(Compiled, milliseconds, "ms"),
								  KEYS(Compiled, ptx, cc, key), KEYS_END};

const BindClass bind_module_class = {
	.metatable = CLASS_MODULE,
	.methods = module_methods,
	.named = (const char *const[]){"names", "kernels", "log", "path", "source", "program", NULL},
	.keys = module_keys,
	.release = module_gc,
	.text = module_tostring,
	.members = compiled_of,
	.field = module_field};

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* Launches with the arguments at from.. and pushes the outcome's table; *ok: it succeeded. */
static void launch(lua_State *L, KernelBox *box, const LaunchConfig *config, int from, LaunchOutcome *outcome) {
	const int n = lua_gettop(L) - from + 1;
	LaunchItem item = {.launch = {.kernel = box->kernel, .config = *config, .nargs = (uint32_t)n}};
	item.launch.args = bind_check_args(L, box, from, n, 0);
	Str *output = bind_str(L);
	const LaunchList list = {.items = &item, .nitems = 1, .print = bind_print, .user = output};
	*outcome = bind_run_list(L, box->owner, list);
	bind_push_outcome(L, outcome, output);
	bind_note_emulated(L, box->owner);
	str_free(output);
	if (outcome->status != LAUNCH_INTERRUPTED) return;
	bind_push_outcome_error(L, outcome, -1);
	lua_error(L);
}

static int kernel_launch(lua_State *L) {
	LaunchConfig config;
	LaunchOutcome outcome;
	KernelBox *box = bind_check_kernel(L, 1);
	bind_check_config(L, 2, &config);
	launch(L, box, &config, 3, &outcome);
	return 1;
}

static const char launch_hook[] = "gpulab.on_launch";

/* host.on_launch(f): f(kernel, config, args...) makes the launches k{...}(...) from now on, and what it returns is what
 * they return; nil: they are made as ever. A prompt records them by it. */
int bind_on_launch(lua_State *L) {
	if (!lua_isnoneornil(L, 1)) luaL_checktype(L, 1, LUA_TFUNCTION);
	lua_settop(L, 1);
	lua_setfield(L, LUA_REGISTRYINDEX, launch_hook);
	return 0;
}

static int launch_by_hook(lua_State *L, const KernelBox *box, const LaunchConfig *config) {
	const int n = lua_gettop(L) - 1;
	bind_check_args(L, box, 1, n, 0); /* raises what it would raise without the hook */
	lua_settop(L, n + 1);
	lua_insert(L, 1);
	lua_pushvalue(L, lua_upvalueindex(1));
	lua_insert(L, 2);
	bind_push_config(L, config);
	lua_insert(L, 3);
	lua_call(L, lua_gettop(L) - 1, 1);
	return 1;
}

/* The second half of k{grid=, block=}(args...): upvalues are the kernel and its configuration. */
static int configured(lua_State *L) {
	LaunchOutcome outcome;
	KernelBox *box = lua_touserdata(L, lua_upvalueindex(1));
	const LaunchConfig *config = lua_touserdata(L, lua_upvalueindex(2));
	if (!box->kernel || !box->owner->device)
		return luaL_error(L, "the kernel %s is closed with its device", box->info.name);
	luaL_checkstack(L, 20, "too many arguments");
	if (lua_getfield(L, LUA_REGISTRYINDEX, launch_hook) == LUA_TFUNCTION) return launch_by_hook(L, box, config);
	lua_pop(L, 1);
	launch(L, box, config, 1, &outcome);
	if (outcome.status == LAUNCH_OK) return 1;
	bind_push_outcome_error(L, &outcome, -1);
	return lua_error(L);
}

static int kernel_call(lua_State *L) {
	LaunchConfig config;
	const KernelBox *box = bind_check_kernel(L, 1);
	const char *name = box->info.name;
	if (!lua_istable(L, 2))
		luaL_error(L, "%s needs a grid and a block before its arguments: %s{grid=1, block=32}(...)", name, name);
	bind_check_config_at(L, 2, 2, lua_pushfstring(L, "launch of %s: ", name), &config);
	if (lua_gettop(L) > 3) bind_bad(L, 3, "arguments follow in parentheses of their own: k{grid=1, block=32}(a, b)");
	lua_settop(L, 1);
	LaunchConfig *kept = lua_newuserdatauv(L, sizeof *kept, 0);
	*kept = config;
	lua_pushcclosure(L, configured, 2);
	return 1;
}

static int kernel_occupancy(lua_State *L) {
	LaunchConfig config;
	Occupancy occupancy;
	KernelBox *box = bind_check_kernel(L, 1);
	bind_check_config(L, 2, &config);
	const Gpu *gpu = device_info(bind_open(L, box->owner))->gpu;
	lua_pushvalue(L, 1);
	if (gpu && box->info.registers_estimated) bind_assemble(L, gpu);
	uint64_t threads = (uint64_t)config.block[0] * config.block[1]; /* two factors cannot overflow, the third can */
	if (threads <= UINT32_MAX) threads *= config.block[2];
	if (threads > UINT32_MAX) return bind_bad(L, 2, "block: more threads than any GPU allows");
	bind_must(L, device_occupancy(bind_open(L, box->owner), box->kernel, (uint32_t)threads, config.shared_bytes,
								  &occupancy, bind_err()));
	static const Key keys[] = {KEYS(Occupancy, blocks_per_sm, warps_per_sm, fraction, limited_by), KEYS_END};
	bind_push_keys(L, keys, &occupancy);
	return 1;
}

/* SASS for the GPU the module was compiled for, as an ELF file. */
static int kernel_cubin(lua_State *L) {
	bind_check_kernel(L, 1);
	lua_getiuservalue(L, 1, 1);
	const Compiled *c = bind_compiled_with_cubin(L, lua_gettop(L));
	if (!c->cubin_bytes) return 0;
	lua_pushlstring(L, c->cubin, c->cubin_bytes);
	return 1;
}

static const char *linked_name(const KernelBox *box) {
	const char *linked = compiled_linked_name(box->module->compiled, box->info.name);
	return linked ? linked : box->info.name;
}

/* A string per parameter, "" for one that is no pointer. */
static void push_uses(lua_State *L, const KernelBox *box) {
	static const char *const names[] = {"", "reads", "writes", "reads and writes"};
	lua_createtable(L, (int)box->info.nparams, 0);
	for (uint32_t i = 0; i < box->info.nparams; i++) {
		bool reads, writes;
		device_kernel_uses(box->kernel, i, &reads, &writes);
		lua_pushstring(L, names[reads + 2 * writes]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
}

/* What the assembler says, where it can be asked, else the estimate. */
static void push_assembled(lua_State *L, KernelBox *box, const char *name) {
	Device *device = box->kernel ? box->owner->device : NULL;
	if (device && device_info(device)->gpu && box->info.registers_estimated) {
		lua_pushvalue(L, 1);
		bind_assemble(L, device_info(device)->gpu);
		lua_pop(L, 1);
		bind_must(L, device_kernel_info(device, box->kernel, &box->info, bind_err()));
	}
	if (strcmp(name, "registers_estimated") == 0)
		lua_pushboolean(L, box->info.registers_estimated);
	else
		lua_pushinteger(L, strcmp(name, "registers") == 0 ? (lua_Integer)box->info.registers
														  : (lua_Integer)box->info.local_bytes);
}

static bool kernel_field(lua_State *L, void *data, const char *name) {
	if (strcmp(name, "linked") == 0)
		lua_pushstring(L, linked_name(data));
	else if (strcmp(name, "uses") == 0)
		push_uses(L, data);
	else if (strcmp(name, "written") == 0) {
		AUTO_FREE char *written = mangled_written(linked_name(data));
		lua_pushstring(L, written);
	} else if (strncmp(name, "registers", strlen("registers")) == 0 || strcmp(name, "local_bytes") == 0)
		push_assembled(L, data, name);
	else
		lua_getiuservalue(L, 1, strcmp(name, "module") == 0 ? 1 : 2);
	return true;
}

static int kernel_tostring(lua_State *L) {
	const KernelBox *box = luaL_checkudata(L, 1, CLASS_KERNEL);
	const KernelInfo *info = &box->info;
	lua_pushfstring(L, "kernel %s: %s%d register%s, %I bytes of shared memory", bind_push_signature(L, box),
					info->registers_estimated ? "about " : "", (int)info->registers, info->registers == 1 ? "" : "s",
					(lua_Integer)info->static_shared);
	return 1;
}

static const luaL_Reg kernel_methods[] = {
	{"launch", kernel_launch}, {"occupancy", kernel_occupancy}, {"cubin", kernel_cubin}, {NULL, NULL}};
static const Key kernel_keys[] = {KEYS(KernelInfo, name), KEY_AS(KernelInfo, static_shared, "shared_bytes"),
								  KEYS(KernelInfo, max_threads), KEYS_END};

static const luaL_Reg kernel_others[] = {{"__call", kernel_call}, {NULL, NULL}};

const BindClass bind_kernel_class = {.metatable = CLASS_KERNEL,
									 .methods = kernel_methods,
									 .named =
										 (const char *const[]){"linked", "written", "module", "device", "uses",
															   "registers", "registers_estimated", "local_bytes", NULL},
									 .keys = kernel_keys,
									 .text = kernel_tostring,
									 .others = kernel_others,
									 .inside = offsetof(KernelBox, info),
									 .field = kernel_field};
