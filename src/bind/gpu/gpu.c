/* The module gpulab.gpu: devices, the GPUs known as data, and the functions of the other files. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "bind/bind.h"
#include "bind/internal.h"
#include "bind/values/set.h"

/* --- devices ------------------------------------------------------------------------------------------------------ */

static int gpu_open(lua_State *L) {
	return bind_open_named(L, luaL_checkstring(L, 1));
}

static int device_gc(lua_State *L) {
	DeviceBox *box = luaL_checkudata(L, 1, CLASS_DEVICE);
	Device *device = box->device;
	box->device = NULL;
	if (device) device_close(device);
	return 0;
}

static bool device_field(lua_State *L, void *data, const char *name) {
	DeviceBox *box = data;
	if (!box->device) luaL_error(L, "the device is closed");
	const DeviceInfo *info = device_info(box->device);
	if (strcmp(name, "name") == 0)
		lua_pushstring(L, info->name);
	else if (strcmp(name, "backend") == 0)
		lua_pushstring(L, info->backend);
	else if (strcmp(name, "measures") == 0)
		lua_pushboolean(L, (info->can & CAN_TIME) != 0);
	else if (strcmp(name, "emulates") == 0)
		lua_pushboolean(L, (info->can & CAN_EMULATE) != 0);
	else if (strcmp(name, "resizes_heap") == 0)
		lua_pushboolean(L, (info->can & CAN_RESIZE_HEAP) != 0);
	else if (strcmp(name, "gpu") == 0)
		lua_pushstring(L, info->gpu_name);
	else if (strcmp(name, "model") == 0)
		lua_pushstring(L, info->gpu ? info->gpu->name : NULL);
	else if (strcmp(name, "cc") == 0)
		lua_pushinteger(L, info->cc);
	else if (strcmp(name, "sms") == 0)
		lua_pushinteger(L, info->sms);
	else if (strcmp(name, "l2_bytes") == 0)
		lua_pushinteger(L, (lua_Integer)info->l2_bytes);
	else if (strcmp(name, "memory_bytes") == 0)
		lua_pushinteger(L, (lua_Integer)info->memory_bytes);
	else if (strcmp(name, "dram_gbps") == 0)
		lua_pushnumber(L, info->dram_gbps);
	else if (strcmp(name, "driver") == 0)
		lua_pushstring(L, info->driver);
	else if (strcmp(name, "without_gpu") == 0) {
		if (!*info->without_gpu) return false;
		lua_pushstring(L, info->without_gpu);
	} else if (strcmp(name, "place") == 0) {
		if (!*info->place) return false;
		lua_pushstring(L, info->place);
	} else if (strcmp(name, "runtime") == 0)
		lua_pushstring(L, info->runtime);
	else
		lua_pushstring(L, nvrtc_version(NULL));
	return true;
}

static Device *named_device(lua_State *L) {
	DeviceBox *box = luaL_checkudata(L, 1, CLASS_DEVICE);
	if (!box->device) luaL_error(L, "the device is closed");
	return box->device;
}

static int device_ask_for(lua_State *L) {
	Err err = ERR_INIT;
	return device_ask(named_device(L), &err) ? 0 : bind_raise(L, &err);
}

/* "here"; "asked", seconds, place, all; or nil */
static int device_is_asked(lua_State *L) {
	Err err = ERR_INIT;
	DeviceAsked asked;
	if (!device_asked(named_device(L), &asked, &err)) return bind_raise(L, &err);
	if (!asked.here && !asked.asked) return 0;
	lua_pushstring(L, asked.here ? "here" : "asked");
	lua_pushnumber(L, asked.seconds);
	lua_pushinteger(L, asked.place);
	lua_pushinteger(L, asked.all);
	return 4;
}

static int device_withdraw(lua_State *L) {
	device_take_back(named_device(L));
	return 0;
}

static int device_tostring(lua_State *L) {
	DeviceBox *box = luaL_checkudata(L, 1, CLASS_DEVICE);
	if (!box->device) {
		lua_pushliteral(L, "device (closed)");
		return 1;
	}
	const DeviceInfo *info = device_info(box->device);
	lua_pushfstring(L, "device %s: %s, cc %d.%d, %d SMs", info->name, info->gpu_name, (int)info->cc / 10,
					(int)info->cc % 10, (int)info->sms);
	return 1;
}

static const BindEntry device_entries[] = {
	{"buffer", bind_buffer, "d:buffer(type, count, {name=, fill=, seed=, memory=}) -> buffer",
	 "As gpu.buffer, on this device."},
	{"transfer", bind_transfer, "d:transfer{direction=, memory=, bytes=} -> measurement", "As gpu.transfer."},
	{"overlap", bind_overlap, "d:overlap{...} -> {ms=, spans=}", "As gpu.overlap."},
	{"texture", bind_texture, "d:texture(buffer, options) -> texture", "As gpu.texture, on this device."},
	{"surface", bind_surface, "d:surface(buffer, options) -> surface", "As gpu.surface, on this device."},
	{"compile", bind_compile, "d:compile(path, {names=, defines=, include=, options=}) -> module",
	 "As gpu.compile, for this device."},
	{"compile_text", bind_compile_text, "d:compile_text(source, options) -> module",
	 "As gpu.compile_text, for this device."},
	{"kernel", bind_kernel, "d:kernel(path, name, options) -> kernel", "As gpu.kernel, for this device."},
	{"compile_ahead", bind_compile_ahead, "d:compile_ahead(path, name, options)", "As gpu.compile_ahead."},
	{"compile_prepare", bind_compile_prepare, "d:compile_prepare(path, name, options)", "As gpu.compile_prepare."},
	{"run", bind_run, "d:run(list) -> outcome", "As gpu.run."},
	{"library", bind_library, "d:library(name) -> true, or nil and why not", "As gpu.library, on this device."},
	{"time", bind_time, "d:time(kernel, config, args, options) -> measurement", "As gpu.time."},
	{"compare", bind_compare, "d:compare(k1, config1, args1, k2, config2, args2, options) -> comparison",
	 "As gpu.compare."},
	{"count", bind_count, "d:count(kernel, config, args, options) -> report", "As gpu.count."},
	{"banks", bind_banks, "d:banks(model, addresses, width) -> table", "As gpu.banks; model \"\" is this device's."},
	{"check", bind_check, "d:check(kernel, config, args, checks) -> report", "As gpu.check."},
	{"step", bind_step, "d:step(k, config, args) -> stepping", "As gpu.step."},
	{"ask", device_ask_for, "d:ask()",
	 "Asks for the worker of a GPU elsewhere and returns at once; what needs the worker waits for it."},
	{"asked", device_is_asked, "d:asked() -> state, seconds, place, all",
	 "\"here\", \"asked\" with its place in the queue (0: not known), or nil; raises an error if it did not come."},
	{"withdraw", device_withdraw, "d:withdraw()", "Takes back what was asked for and is not here."},
	{"close", device_gc, "d:close()",
	 "Closes the device with all its buffers and kernels; later uses of them are errors."},
	{"name", NULL, "d.name", "As opened: \"cuda:0\", \"emu:GTX 280\"."},
	{"backend", NULL, "d.backend", "\"cuda\" or \"emu\", to show; what it can do is d.measures and d.emulates."},
	{"resizes_heap", NULL, "d.resizes_heap",
	 "True where any launch may set heap=; elsewhere only before a kernel has used malloc."},
	{"measures", NULL, "d.measures", "True where kernels and copies are timed; elsewhere times are predicted."},
	{"emulates", NULL, "d.emulates", "True where launches are counted and checked as they run, on the emulator."},
	{"gpu", NULL, "d.gpu", "The GPU's full name."},
	{"model", NULL, "d.model", "The name of its record in gpu.models(), or nil."},
	{"cc", NULL, "d.cc", "Compute capability times ten: 90 for 9.0."},
	{"sms", NULL, "d.sms", "How many streaming multiprocessors it has."},
	{"l2_bytes", NULL, "d.l2_bytes", "The size of its L2 cache."},
	{"memory_bytes", NULL, "d.memory_bytes", "The size of its memory."},
	{"without_gpu", NULL, "d.without_gpu",
	 "Why \"auto\" opened the emulator although a GPU driver is installed; else nil."},
	{"place", NULL, "d.place", "The name of the machine its worker runs on, if that is elsewhere; else nil."},
	{"dram_gbps", NULL, "d.dram_gbps", "Peak memory bandwidth, 10^9 bytes per second; 0: not known."},
	{"driver", NULL, "d.driver", "The driver's version, \"\" on the emulator."},
	{"runtime", NULL, "d.runtime", "The CUDA runtime's version, \"\" on the emulator."},
	{"nvrtc", NULL, "d.nvrtc", "The version of NVRTC, or nil where there is none."},
	{NULL, NULL, NULL, NULL}};

static const BindClass device_class;

static int device_index(lua_State *L) {
	return bind_index(L, &device_class, luaL_checkudata(L, 1, CLASS_DEVICE));
}

static const luaL_Reg device_meta[] = {{"__index", device_index},
									   {"__gc", device_gc},
									   {"__close", device_gc},
									   {"__tostring", device_tostring},
									   {NULL, NULL}};

static const BindClass device_class = {
	.metatable = CLASS_DEVICE,
	.prefix = "device:",
	.usage = "gpu.device, gpu.open(name)",
	.help =
		"A GPU, or the emulator of one. The functions of gpu act on gpu.device; each is also a method of any device.",
	.entries = device_entries,
	.metamethods = device_meta,
	.field = device_field};

void bind_device_class(lua_State *L) {
	bind_class(L, &device_class);
}

/* --- what there is ------------------------------------------------------------------------------------------------ */

static void push_device(lua_State *L, const DeviceInfo *info) {
	lua_createtable(L, 0, 6);
	set_text(L, "name", info->name);
	set_text(L, "backend", info->backend);
	if (*info->without_gpu) {
		set_text(L, "why", info->without_gpu);
		return;
	}
	set_text(L, "gpu", info->gpu_name);
	set_count(L, "cc", info->cc);
	set_count(L, "sms", info->sms);
	set_count(L, "memory_bytes", (lua_Integer)info->memory_bytes);
	set_text(L, "sandbox", info->sandbox);
	set_flag(L, "measures", (info->can & CAN_TIME) != 0);
}

/* Two lists: what can be opened, and GPUs that cannot. */
static int gpu_devices(lua_State *L) {
	size_t count = 0;
	Holder *holder = bind_hold(L, free);
	holder->data = device_list(&count);
	const DeviceInfo *infos = holder->data;
	lua_createtable(L, (int)count, 0);
	lua_newtable(L);
	for (size_t i = 0; i < count; i++) {
		const int list = *infos[i].without_gpu ? -1 : -2;
		push_device(L, &infos[i]);
		lua_rawseti(L, list - 1, (lua_Integer)lua_rawlen(L, list - 1) + 1);
	}
	bind_drop(holder);
	return 2;
}

/* --- limits ------------------------------------------------------------------------------------------------------- */

/* The value on top of the stack: a number of bytes or seconds, a text as on the command line, false for the default. */
static bool set_limit(lua_State *L, LimitId id, Err *err) {
	switch (lua_type(L, -1)) {
	case LUA_TNUMBER: return limit_set(id, lua_tonumber(L, -1), err);
	case LUA_TSTRING: return limit_set_text(id, lua_tostring(L, -1), err);
	case LUA_TBOOLEAN:
		if (!lua_toboolean(L, -1)) return limit_set(id, 0, err);
		__attribute__((fallthrough));
	default: return err_set(err, ERR_USAGE, "%s: a number or a text expected", limit_row(id)->name);
	}
}

static int gpu_limits(lua_State *L) {
	Err err = ERR_INIT;
	LimitId id;
	const bool given = !lua_isnoneornil(L, 1);
	if (given) luaL_checktype(L, 1, LUA_TTABLE);
	for (lua_pushnil(L); given && lua_next(L, 1); lua_pop(L, 1)) {
		if (lua_type(L, -2) != LUA_TSTRING) return bind_bad(L, 1, "NAME = VALUE expected");
		if (!limit_find(lua_tostring(L, -2), &id, &err) || !set_limit(L, id, &err)) return bind_raise(L, &err);
	}
	bind_memory_begin(L);
	lua_createtable(L, 0, LIMITS);
	for (int i = 0; i < LIMITS; i++) set_number(L, limit_row((LimitId)i)->name, limit_of((LimitId)i));
	return 1;
}

/* An error object as the C core raises them, so that Lua code fails the same way and main finds the exit code. */
static int gpu_error(lua_State *L) {
	const char *kind = luaL_checkstring(L, 1), *message = luaL_checkstring(L, 2);
	if (bind_kind(kind) == ERR_NONE) return bind_bad(L, 1, "no kind of error is called '%.40s'", kind);
	bind_push_error(L, bind_kind(kind), message, luaL_optstring(L, 4, ""), luaL_optstring(L, 3, ""));
	return 1;
}

static int gpu_raise(lua_State *L) {
	gpu_error(L);
	return lua_error(L);
}

static const BindEntry gpu_entries[] = {
	{"buffer", bind_buffer, "gpu.buffer(type, count, {name=, fill=, seed=, memory=}) -> buffer",
	 "Typed memory on the device: count elements of a CUDA C++ type (\"float\", \"int\", ...). fill sets its first "
	 "contents:\na number, \"iota\", \"random\", \"sentinel\" (the default: NaN, -1), a table or an array.\n"
	 "memory = \"mapped\": in host memory, which kernels read and write over the link."},
	{"transfer", bind_transfer, "gpu.transfer{direction=, memory=, bytes=, wall=, models=} -> measurement",
	 "Times a copy \"to device\" or \"from device\" of memory that is \"pageable\", \"pinned\" (the default) or\n"
	 "\"write-combined\". On the emulator, and for each of models: predicted from the link's data."},
	{"overlap", bind_overlap, "gpu.overlap{kernel=, config=, args=, input=, output=, ...} -> {ms=, spans=}",
	 "Copies input to the GPU, runs the kernel and copies output back, in chunks that streams take in turn, and "
	 "reports\nwhen each operation began and ended. config and args are functions of a chunk's first element and their "
	 "number.\n"
	 "Also: chunks=, streams=, memory= (\"pinned\"), order= \"depth\" or \"breadth\" (of issue), wall=, models=."},
	{"array", bind_array, "gpu.array(type, count, fill, seed) -> array",
	 "A typed array on the host, zero unless filled; for references and checks."},
	{"texture", bind_texture, "gpu.texture(buffer, {width=, height=, address=, filter=, ...}) -> texture",
	 "A copy of the buffer as a cudaTextureObject_t, a kernel argument. Without a height it has one dimension; depth, "
	 "layers\n"
	 "(tex2DLayered) and channels are further options. address: \"clamp\", \"border\", with normalized = true also "
	 "\"wrap\" and "
	 "\"mirror\", or\n"
	 "a table of one an axis. filter: \"point\" or \"linear\". read = \"float\": small integers become floats in [0, "
	 "1].\n"
	 "layout = \"linear\": for tex1Dfetch. t:update() copies the buffer again."},
	{"surface", bind_surface, "gpu.surface(buffer, {width=, height=, depth=, layers=, channels=}) -> surface",
	 "A copy of the buffer as a cudaSurfaceObject_t, which kernels read and write; s:download() gives its texels."},
	{"compile", bind_compile, "gpu.compile(path, {names=, defines=, include=, options=}) -> module",
	 "Compiles a .cu file with NVRTC. The path is relative to the working folder, else to the lab, else in kernels/.\n"
	 "names: kernels wanted, as in CUDA C++ (\"tile<33>\"); without it every __global__ function that is no template."},
	{"compile_text", bind_compile_text, "gpu.compile_text(source, options) -> module",
	 "As gpu.compile, with the CUDA C++ text itself."},
	{"kernel", bind_kernel, "gpu.kernel(path, name, options) -> kernel",
	 "Compiles the file for one kernel: gpu.kernel(\"transpose.cu\", \"tile<33>\")."},
	{"compile_ahead", bind_compile_ahead, "gpu.compile_ahead(path, name, options)",
	 "Compiles as gpu.kernel does and keeps the result in the cache, where gpu.kernel will find it."},
	{"compile_prepare", bind_compile_prepare, "gpu.compile_prepare(path, name, options)",
	 "Starts the compiler and precompiles the CUDA headers that the file includes, in the background."},
	{"run", bind_run, "gpu.run(list) -> outcome",
	 "Runs a launch list, of {kernel=, config=, args=} and {library=, args=}, in order, and waits. It stops\nat the "
	 "first item that fails, which the outcome describes."},
	{"library", bind_library, "gpu.library(name) -> true, or nil and why not",
	 "Whether a launch list can contain this library routine here: \"sgemm\" {C, A, B, n} and \"sgeam\" {out, in, "
	 "rows, "
	 "columns}\n"
	 "(a transpose) of cuBLAS, \"memcpy\" {to, from} on the device. All need a GPU."},
	{"time", bind_time, "gpu.time(k, config, args, {min_bytes=, wall=, warmup=}) -> measurement",
	 "Times the launch k{grid=, block=}(args...). On a GPU: median, quartiles and minimum of samples with a cold L2, "
	 "in ms. On the emulator: the "
	 "time\n"
	 "its model predicts. min_bytes: DRAM bytes the launch has to move; a faster result is marked impossible."},
	{"compare", bind_compare, "gpu.compare(k1, config1, args1, k2, config2, args2, {wall=}) -> comparison",
	 "Is the second launch faster than the first? On a GPU samples of both are taken in turn, and the answer has "
	 "the\n99 % confidence interval of the second's time over the first's: verdict \"faster\", \"slower\" or\n"
	 "\"cannot tell\" (also for differences under 0.5 %). On the emulator two predictions are compared: no spread."},
	{"lock", bind_lock, "gpu.lock(on)",
	 "Whether times are taken under the GPU's lock, which keeps processes on one machine apart; true at first.\n"
	 "gpu.lock(false) is --no-lock: what is measured then says so."},
	{"count", bind_count, "gpu.count(k, config, args, {rules=, models=, sample=, instructions=}) -> report",
	 "Runs the launch k{grid=, block=}(args...) once on the emulator and counts what the memory system would do, in "
	 "total and by source line, by "
	 "the\n"
	 "rules of a GPU (default: the device's own), and predicts its time on the models asked for. sample=N runs about\n"
	 "N blocks, spread over the grid, and extrapolates to the others; report.sampled says so, and by how much\nthe "
	 "sample's halves differ."},
	{"banks", bind_banks, "gpu.banks(model, {[lane]=byte address}, width) -> table",
	 "How a warp's access to shared memory maps to the banks of a GPU: its requests, the\nwavefronts they take, the "
	 "ideal number of them, and each lane's bank (banks[lane]); model \"\" is the device's "
	 "own."},
	{"check", bind_check, "gpu.check(k, config, args, {\"race\", ...}, orders) -> report",
	 "Runs the launch k{grid=, block=}(args...) on the emulator with the checkers that are named attached, or all of\n"
	 "them, and also in so many adversarial orders of blocks and warps (0), whose results are dropped; an issue "
	 "that\n"
	 "shows only there has the field schedule. report.findings lists the issues: check, message, hint, count,\n"
	 "buffer, offset, and one or two sites with file, line, block and thread."},
	{"step", bind_step, "gpu.step(k, config, args) -> stepping",
	 "Steps the launch k{grid=, block=}(args...) on an emulator of its own, over copies of its buffers."},
	{"open", gpu_open, "gpu.open(name) -> device",
	 "Opens \"cuda:0\", \"emu\", \"emu:GTX 280\" or \"auto\" (a GPU if there is one); elsewhere \"ssh:HOST\",\n"
	 "\"slurm\", \"pbs\" or \"job:NAME\", as site files say."},
	{"devices", gpu_devices, "gpu.devices() -> table, table",
	 "What can be opened here: {name=, gpu=, backend=, cc=, sms=, memory_bytes=}; and GPUs that cannot: {name=, "
	 "why=}."},
	{"cards", bind_cards, "gpu.cards() -> table", "Names of further known GPUs, oldest first."},
	{"models", bind_models, "gpu.models() -> table",
	 "Every GPU known as data, oldest first, with its values and their sources; then those made with gpu.model."},
	{"model", bind_model, "gpu.model{base=\"GTX 280\", banks=32, name=} -> GPU",
	 "A hypothetical GPU: a known one with some values changed, to see their effect. Its name works\nwherever a "
	 "model's name does: gpu.open(\"emu:\" .. m.name), --model, gpu.count, gpu.banks. What is left out stays\n"
	 "as it is; name: default, what was changed. gpu.model(\"GTX 280\") returns the values of a known one."},
	{"calibrate", bind_calibrate, "gpu.calibrate{gpu=\"H200\", copy_gbps=, l2_gbps=, launch_us=} -> GPU",
	 "Gives a known GPU values measured on this machine; its model uses them from then on. The command\ncalibrate "
	 "measures and stores them; this function is for values from elsewhere."},
	{"limits", gpu_limits, "gpu.limits{compile_memory=, compile_time=, gpu_time=, ...} -> table",
	 "Sets limits: a number of bytes or seconds, a text (\"8G\", \"512M\"), or false for the default. Returns all of "
	 "them:\n"
	 "compile_memory, compile_time, gpu_time, emulator_time, emulator_memory, heap, lua_memory."},
	{"error", gpu_error, "gpu.error(kind, message, hint, where) -> error object", "What gpu.raise raises."},
	{"raise", gpu_raise, "gpu.raise(kind, message, hint, where)",
	 "Raises an error object; kind (\"wrong\", \"setup\", \"usage\", ...) decides the exit code."},
	{"device", NULL, "gpu.device", "The device chosen with --device, opened at first use. Set it to change devices."},
	{"version", NULL, "gpu.version", "gpulab's version."},
	{"help", NULL, "gpu.help", "What the prompt's ?name shows: gpu.help[name] = {usage=, help=}."},
	{NULL, NULL, NULL, NULL}};

/* gpu.device is made when it is first asked for. */
static int module_index(lua_State *L) {
	if (lua_type(L, 2) != LUA_TSTRING || strcmp(lua_tostring(L, 2), "device") != 0) return 0;
	bind_gpu_device(L);
	return 1;
}

static int module_newindex(lua_State *L) {
	if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "device") == 0) {
		if (!luaL_testudata(L, 3, CLASS_DEVICE))
			return luaL_error(L, "gpu.device: a device expected, as gpu.open returns");
		lua_settop(L, 3);
		bind_set_gpu_device(L);
		return 0;
	}
	lua_rawset(L, 1);
	return 0;
}

int bind_gpu_module(lua_State *L) {
	bind_error_class(L);
	lua_createtable(L, 0, 20);
	lua_newtable(L);
	lua_setfield(L, -2, "help");
	set_text(L, "version", GPULAB_VERSION);
	for (const BindEntry *e = gpu_entries; e->name; e++) {
		if (!e->function) continue;
		lua_pushcfunction(L, e->function);
		lua_setfield(L, -2, e->name);
	}
	bind_document(L, "gpu.", gpu_entries);
	bind_device_class(L);
	bind_buffer_class(L);
	bind_array_class(L);
	bind_kernel_class(L);
	bind_symbol_class(L);
	bind_texture_class(L);
	bind_stepping_class(L);
	lua_createtable(L, 0, 3);
	lua_pushcfunction(L, module_index);
	lua_setfield(L, -2, "__index");
	lua_pushcfunction(L, module_newindex);
	lua_setfield(L, -2, "__newindex");
	lua_setmetatable(L, -2);
	return 1;
}
