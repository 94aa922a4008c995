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

static const void *info_of(lua_State *L, const void *data) {
	const DeviceBox *box = data;
	if (!box->device) luaL_error(L, "the device is closed");
	return device_info(box->device);
}

static bool device_field(lua_State *L, void *data, const char *name) {
	static const struct {
		const char *name;
		Capability can;
	} abilities[] = {{"measures", CAN_TIME}, {"emulates", CAN_EMULATE}, {"resizes_heap", CAN_RESIZE_HEAP}};
	const DeviceInfo *info = info_of(L, data);
	for (size_t i = 0; i < sizeof abilities / sizeof *abilities; i++) {
		if (strcmp(name, abilities[i].name) != 0) continue;
		lua_pushboolean(L, (info->can & abilities[i].can) != 0);
		return true;
	}
	if (strcmp(name, "model") == 0)
		lua_pushstring(L, info->gpu ? info->gpu->name : NULL);
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

/* What gpu does on gpu.device, any device has as a method. */
static const BindEntry device_functions[] = {
	{"buffer", bind_buffer, "gpu.buffer(type, count, {name=, fill=, seed=, memory=}) -> buffer",
	 "Typed memory on the device: count elements of a CUDA C++ type (\"float\", \"int\", ...). fill sets its first "
	 "contents: a number, \"iota\", \"random\", \"sentinel\" (the default: NaN, -1), a table or an array. memory = "
	 "\"mapped\": in host memory, which kernels read and write over the link."},
	{"transfer", bind_transfer, "gpu.transfer{direction=, memory=, bytes=, wall=, models=} -> measurement",
	 "Times a copy \"to device\" or \"from device\" of memory that is \"pageable\", \"pinned\" (the default) or "
	 "\"write-combined\". On the emulator, and for each of models: predicted from the link's data."},
	{"overlap", bind_overlap, "gpu.overlap{kernel=, config=, args=, input=, output=, ...} -> {ms=, spans=}",
	 "Copies input to the GPU, runs the kernel and copies output back, in chunks that streams take in turn, and "
	 "reports when each operation began and ended. config and args are functions of a chunk's first element and "
	 "their number. Also: chunks=, streams=, memory= (\"pinned\"), order= \"depth\" or \"breadth\" (of issue), "
	 "wall=, models=."},
	{"texture", bind_texture, "gpu.texture(buffer, {width=, height=, address=, filter=, ...}) -> texture",
	 "A copy of the buffer as a cudaTextureObject_t, a kernel argument. Without a height it has one dimension; "
	 "depth, layers (tex2DLayered) and channels are further options. address: \"clamp\", \"border\", with "
	 "normalized = true also \"wrap\" and \"mirror\", or a table of one an axis. filter: \"point\" or \"linear\". "
	 "read = \"float\": small integers become floats in [0, 1]. layout = \"linear\": for tex1Dfetch. t:update() "
	 "copies the buffer again."},
	{"surface", bind_surface, "gpu.surface(buffer, {width=, height=, depth=, layers=, channels=}) -> surface",
	 "A copy of the buffer as a cudaSurfaceObject_t, which kernels read and write; s:download() gives its texels."},
	{"compile", bind_compile, "gpu.compile(path, {names=, defines=, include=, options=}) -> module",
	 "Compiles a .cu file with NVRTC. The path is relative to the working folder, else to the lab, else in "
	 "kernels/. names: kernels wanted, as in CUDA C++ (\"tile<33>\"); without it every __global__ function that is "
	 "no template."},
	{"compile_text", bind_compile_text, "gpu.compile_text(source, options) -> module",
	 "As gpu.compile, with the CUDA C++ text itself."},
	{"kernel", bind_kernel, "gpu.kernel(path, name, options) -> kernel",
	 "Compiles the file for one kernel: gpu.kernel(\"transpose.cu\", \"tile<33>\")."},
	{"compile_ahead", bind_compile_ahead, "gpu.compile_ahead(path, name, options)",
	 "Compiles as gpu.kernel does and keeps the result in the cache, where gpu.kernel will find it."},
	{"compile_prepare", bind_compile_prepare, "gpu.compile_prepare(path, name, options)",
	 "Starts the compiler and precompiles the CUDA headers that the file includes, in the background."},
	{"run", bind_run, "gpu.run(list) -> outcome",
	 "Runs a launch list, of {kernel=, config=, args=} and {library=, args=}, in order, and waits. It stops at the "
	 "first item that fails, which the outcome describes."},
	{"library", bind_library, "gpu.library(name) -> true, or nil and why not",
	 "Whether a launch list can contain this library routine here: \"sgemm\" {C, A, B, n} and \"sgeam\" {out, in, "
	 "rows, columns} (a transpose) of cuBLAS, \"memcpy\" {to, from} on the device. All need a GPU."},
	{"time", bind_time, "gpu.time(k, config, args, {min_bytes=, wall=, warmup=}) -> measurement",
	 "Times the launch k{grid=, block=}(args...). On a GPU: median, quartiles and minimum of samples with a cold "
	 "L2, in ms. On the emulator: the time its model predicts. min_bytes: DRAM bytes the launch has to move; a "
	 "faster result is marked impossible."},
	{"compare", bind_compare, "gpu.compare(k1, config1, args1, k2, config2, args2, {wall=}) -> comparison",
	 "Is the second launch faster than the first? On a GPU samples of both are taken in turn, and the answer has "
	 "the 99 % confidence interval of the second's time over the first's: verdict \"faster\", \"slower\" or "
	 "\"cannot tell\" (also for differences under 0.5 %). On the emulator two predictions are compared: no spread."},
	{"count", bind_count, "gpu.count(k, config, args, {rules=, models=, sample=, instructions=}) -> report",
	 "Runs the launch k{grid=, block=}(args...) once on the emulator and counts what the memory system would do, "
	 "in total and by source line, by the rules of a GPU (default: the device's own), and predicts its time on the "
	 "models asked for. sample=N runs about N blocks, spread over the grid, and extrapolates to the others; "
	 "report.sampled says so, and by how much the sample's halves differ."},
	{"banks", bind_banks, "gpu.banks(model, {[lane]=byte address}, width) -> table",
	 "How a warp's access to shared memory maps to the banks of a GPU: its requests, the wavefronts they take, the "
	 "ideal number of them, and each lane's bank (banks[lane]); model \"\" is the device's own."},
	{"check", bind_check, "gpu.check(k, config, args, {\"race\", ...}, orders) -> report",
	 "Runs the launch k{grid=, block=}(args...) on the emulator with the checkers that are named attached, or all "
	 "of them, and also in so many adversarial orders of blocks and warps (0), whose results are dropped; an issue "
	 "that shows only there has the field schedule. report.findings lists the issues: check, message, hint, count, "
	 "buffer, offset, and one or two sites with file, line, block and thread."},
	{"step", bind_step, "gpu.step(k, config, args) -> stepping",
	 "Steps the launch k{grid=, block=}(args...) on an emulator of its own, over copies of its buffers."},
	{0}};

static const BindEntry device_entries[] = {
	{"ask", device_ask_for, "d:ask()",
	 "Asks for the worker of a remote GPU and returns at once; what needs the worker waits for it."},
	{"asked", device_is_asked, "d:asked() -> state, seconds, place, all",
	 "\"here\", \"asked\" with its place in the queue (0: not known), or nil; raises an error if it did not come."},
	{"withdraw", device_withdraw, "d:withdraw()", "Takes back what was asked for and is not here."},
	{"close", device_gc, "d:close()",
	 "Closes the device with all its buffers and kernels; later uses of them are errors."},

	{"resizes_heap", NULL, NULL,
	 "True where any launch may set heap=; elsewhere only before a kernel has used malloc."},
	{"measures", NULL, NULL, "True where kernels and copies are timed; elsewhere times are predicted."},
	{"emulates", NULL, NULL, "True where launches are counted and checked as they run, on the emulator."},

	{"model", NULL, NULL, "The name of its record in gpu.models(), or nil."},

	{"nvrtc", NULL, NULL, "The version of NVRTC, or nil where there is none."},
	{0}};

static const BindField device_fields[] = {
	{KEY(DeviceInfo, name), "As opened: \"cuda:0\", \"emu:GTX 280\"."},
	{KEY(DeviceInfo, backend), "\"cuda\" or \"emu\", to show; what it can do is d.measures and d.emulates."},
	{KEY_AS(DeviceInfo, gpu_name, "gpu"), "The GPU's full name."},
	{KEY(DeviceInfo, cc), "Compute capability times ten: 90 for 9.0."},
	{KEY(DeviceInfo, sms), "How many streaming multiprocessors it has."},
	{KEY(DeviceInfo, l2_bytes), "The size of its L2 cache."},
	{KEY(DeviceInfo, memory_bytes), "The size of its memory."},
	{KEY_KNOWN(DeviceInfo, without_gpu, "without_gpu"),
	 "Why \"auto\" opened the emulator although a GPU driver is installed; else nil."},
	{KEY_KNOWN(DeviceInfo, place, "place"), "The name of the remote machine that its worker runs on; else nil."},
	{KEY(DeviceInfo, dram_gbps), "Peak memory bandwidth, 10^9 bytes per second; 0: not known."},
	{KEY(DeviceInfo, driver), "The driver's version, \"\" on the emulator."},
	{KEY(DeviceInfo, runtime), "The CUDA runtime's version, \"\" on the emulator."},
	{KEYS_END, NULL}};

static const BindClass device_class = {
	.metatable = CLASS_DEVICE,
	.prefix = "device:",
	.usage = "gpu.device, gpu.open(name)",
	.help =
		"A GPU, or the emulator of one. The functions of gpu act on gpu.device; each is also a method of any device.",
	.entries = device_entries,
	.fields = device_fields,
	.methods = device_functions,
	.release = device_gc,
	.text = device_tostring,
	.members = info_of,
	.field = device_field};

void bind_device_class(lua_State *L) {
	bind_class(L, &device_class);
}

/* --- what there is ------------------------------------------------------------------------------------------------ */

static void push_device(lua_State *L, const DeviceInfo *info) {
	static const Key keys[] = {KEYS(DeviceInfo, name, backend), KEY_KNOWN(DeviceInfo, without_gpu, "why"), KEYS_END};
	static const Key more_keys[] = {KEYS(DeviceInfo, cc, sms, memory_bytes, sandbox),
									KEY_AS(DeviceInfo, gpu_name, "gpu"), KEYS_END};
	bind_push_keys(L, keys, info);
	if (*info->without_gpu) return;
	bind_set_keys(L, more_keys, info);
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
	{"array", bind_array, "gpu.array(type, count, fill, seed) -> array",
	 "A typed array on the host, zero unless filled; for references and checks."},
	{"lock", bind_lock, "gpu.lock(on)",
	 "Whether times are taken under the GPU's lock, which keeps processes on one machine apart; true at first. "
	 "gpu.lock(false) is --no-lock: what is measured then says so."},
	{"open", gpu_open, "gpu.open(name) -> device",
	 "Opens \"cuda:0\", \"emu\", \"emu:GTX 280\" or \"auto\" (a GPU if there is one); a remote GPU: \"ssh:HOST\", "
	 "\"slurm\", \"pbs\" or \"job:NAME\", as site files say."},
	{"devices", gpu_devices, "gpu.devices() -> table, table",
	 "What can be opened here: {name=, gpu=, backend=, cc=, sms=, memory_bytes=}; and GPUs that cannot: {name=, "
	 "why=}."},
	{"cards", bind_cards, "gpu.cards() -> table", "Names of further known GPUs, oldest first."},
	{"models", bind_models, "gpu.models() -> table",
	 "Every GPU known as data, oldest first, with its values and their sources; then those made with gpu.model."},
	{"model", bind_model, "gpu.model{base=\"GTX 280\", banks=32, name=} -> GPU",
	 "A hypothetical GPU: a known one with some values changed, to see their effect. Its name works wherever a "
	 "model's name does: gpu.open(\"emu:\" .. m.name), --model, gpu.count, gpu.banks. What is left out stays as it "
	 "is; name: default, what was changed. gpu.model(\"GTX 280\") returns the values of a known one."},
	{"calibrate", bind_calibrate, "gpu.calibrate{gpu=\"H200\", copy_gbps=, l2_gbps=, launch_us=} -> GPU",
	 "Gives a known GPU values measured on this machine; its model uses them from then on. The command calibrate "
	 "measures and stores them; this function is for values from elsewhere."},
	{"limits", gpu_limits, "gpu.limits{compile_memory=, compile_time=, gpu_time=, ...} -> table",
	 "Sets limits: a number of bytes or seconds, a text (\"8G\", \"512M\"), or false for the default. Returns all "
	 "of them: compile_memory, compile_time, gpu_time, emulator_time, emulator_memory, heap, lua_memory."},
	{"error", gpu_error, "gpu.error(kind, message, hint, where) -> error object", "What gpu.raise raises."},
	{"raise", gpu_raise, "gpu.raise(kind, message, hint, where)",
	 "Raises an error object; kind (\"wrong\", \"setup\", \"usage\", ...) decides the exit code."},
	{"device", NULL, "gpu.device", "The device chosen with --device, opened at first use. Set it to change devices."},
	{"version", NULL, "gpu.version", "gpulab's version."},
	{"help", NULL, "gpu.help", "What the prompt's ?name shows: gpu.help[name] = {usage=, help=}."},
	{0}};

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
	bind_functions(L, "gpu.", device_functions);
	bind_functions(L, "gpu.", gpu_entries);
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
