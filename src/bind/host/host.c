/* The module gpulab.host: what the program's own Lua (app, repl, commands) needs of the machine it runs on. Not for
 * labs. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/proc.h"
#include "base/text/nearest.h"
#include "base/text/printable.h"
#include "bind/bind.h"
#include "bind/internal.h"
#include "bind/lua/embed.h"
#include "bind/values/set.h"
#include "device/remote/image.h"

static int host_isatty(lua_State *L) {
	lua_pushboolean(L, isatty((int)luaL_checkinteger(L, 1)));
	return 1;
}

static int host_columns(lua_State *L) {
	struct winsize size = {0};
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	lua_pushinteger(L, size.ws_col >= 20 ? size.ws_col : 80);
	return 1;
}

static int host_rows(lua_State *L) {
	struct winsize size = {0};
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	lua_pushinteger(L, size.ws_row >= 2 ? size.ws_row : 24);
	return 1;
}

/* Seconds of a monotonic clock. */
static int host_seconds(lua_State *L) {
	lua_pushnumber(L, seconds_now());
	return 1;
}

/* protect(f, ...) -> true, results... or false, error. What interrupted f is over when it returns. */
static int host_protect(lua_State *L) {
	luaL_checkany(L, 1);
	int status = bind_protect(L, lua_gettop(L) - 1, LUA_MULTRET);
	lua_pushboolean(L, status == LUA_OK);
	lua_insert(L, 1);
	return lua_gettop(L);
}

/* turns(turn): calls turn(problem) until it returns false. What one turn raises is the next one's problem, else nil.
 * The loop is here because Ctrl-C may raise wherever Lua code runs, between two turns as well. */
static int host_turns(lua_State *L) {
	enum { HOPELESS = 100 };
	luaL_checktype(L, 1, LUA_TFUNCTION);
	lua_settop(L, 1);
	lua_pushnil(L);
	for (int raised = 0; raised < HOPELESS;) {
		lua_pushvalue(L, 1);
		lua_insert(L, 2);
		bool well = bind_protect(L, 1, 1) == LUA_OK;
		raised = well ? 0 : raised + 1;
		if (!well) continue;
		if (!lua_toboolean(L, -1)) return 0;
		lua_settop(L, 1);
		lua_pushnil(L);
	}
	return lua_error(L);
}

/* modules("gpulab.prompt.command") -> the modules built into that folder, not into folders below it, as keys */
static int host_modules(lua_State *L) {
	size_t len;
	const char *folder = luaL_checklstring(L, 1, &len);
	lua_newtable(L);
	for (const EmbeddedLua *e = embedded_lua; e->name; e++) {
		if (strncmp(e->name, folder, len) != 0 || e->name[len] != '.' || strchr(e->name + len + 1, '.')) continue;
		lua_pushboolean(L, true);
		lua_setfield(L, -2, e->name);
	}
	return 1;
}

static int host_kind(lua_State *L) {
	struct stat st;
	if (stat(luaL_checkstring(L, 1), &st) != 0) return 0;
	lua_pushstring(L, S_ISDIR(st.st_mode) ? "folder" : "file");
	return 1;
}

static void close_folder(void *dir) {
	closedir(dir);
}

/* list(folder) -> names in order, folders with a slash; empty where there is no such folder */
static int host_list(lua_State *L) {
	const char *folder = luaL_checkstring(L, 1);
	Holder *holder = bind_hold(L, close_folder);
	DIR *dir = holder->data = opendir(folder);
	lua_newtable(L);
	int n = 0;
	for (struct dirent *e; dir && (e = readdir(dir));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
		struct stat st;
		bool is_folder = fstatat(dirfd(dir), e->d_name, &st, 0) == 0 && S_ISDIR(st.st_mode);
		lua_pushfstring(L, is_folder ? "%s/" : "%s", e->d_name);
		lua_rawseti(L, -2, ++n);
	}
	bind_drop(holder);
	bind_push_own(L, "table");
	lua_getfield(L, -1, "sort");
	lua_pushvalue(L, -3);
	lua_call(L, 1, 0);
	lua_pop(L, 1);
	return 1;
}

/* printable(text): what a terminal would obey as \x1B; text.printable is the same where there is no C */
static int host_printable(lua_State *L) {
	size_t len;
	const char *text = luaL_checklstring(L, 1, &len);
	Str *s = bind_str(L);
	str_add_printable(s, text, len);
	lua_pushlstring(L, s->text ? s->text : "", s->len);
	return 1;
}

static int host_results_to_stderr(lua_State *L) {
	bind_results(lua_toboolean(L, 1) ? RESULTS_STDERR : RESULTS_STDOUT);
	return 0;
}

/* What kernels print is in their outcomes alone. */
static int host_keep_results(lua_State *L) {
	bind_results(RESULTS_NOWHERE);
	return 0;
}

/* printed() -> what kernels printed since the last call; from the first one on they print nowhere else */
static int host_printed(lua_State *L) {
	bind_results(RESULTS_KEPT);
	bind_take_printed(L);
	return 1;
}

/* array_bytes(array) -> its elements as they are in memory */
static int host_array_bytes(lua_State *L) {
	const Array *array = bind_check_array(L, 1);
	lua_pushlstring(L, (const char *)array->data, array->count * elem_bytes(array->type));
	return 1;
}

static int host_nearest(lua_State *L) {
	size_t n;
	luaL_checktype(L, 2, LUA_TTABLE);
	lua_pushstring(L, nearest(luaL_checkstring(L, 1), bind_check_texts(L, 2, 2, "", 0, &n)));
	return 1;
}

static int host_default_device(lua_State *L) {
	bind_default_device(L, luaL_optstring(L, 1, NULL));
	return 0;
}

/* nvrtc() -> its version or nil; where it is newer than all that gpulab was verified with, the newest of those */
static int host_nvrtc(lua_State *L) {
	const char *version = nvrtc_version(NULL);
	lua_pushstring(L, version);
	lua_pushstring(L, version ? nvrtc_verified() : NULL);
	return 2;
}

/* On a line of its own, also where a line of progress is. */
static void show_notice(const char *text) {
	fprintf(stderr, "%sgpulab: %s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", text);
}

/* toolkit() -> the folder of the CUDA Toolkit that NVRTC is from, or nil */
static int host_toolkit(lua_State *L) {
	AUTO_FREE char *home = nvrtc_home();
	lua_pushstring(L, home);
	return 1;
}

/* nil where there is no NVRTC. */
static int host_compiler_sandbox(lua_State *L) {
	char text[160];
	if (!compile_sandbox(text, sizeof text, NULL)) return 0;
	lua_pushstring(L, text);
	return 1;
}

/* digest(text...) -> 32 hexadecimal digits; no two lists of texts with equal ones can be made */
static int host_digest(lua_State *L) {
	Hash hash;
	char hex[HASH_CHARS];
	hash_start(&hash);
	for (int i = 1; i <= lua_gettop(L); i++) {
		size_t len;
		const char *text = luaL_checklstring(L, i, &len);
		hash_add(&hash, &len, sizeof len);
		hash_add(&hash, text, len);
	}
	hash_text(&hash, hex);
	lua_pushstring(L, hex);
	return 1;
}

static int host_is_error(lua_State *L) {
	lua_pushboolean(L, false);
	if (lua_istable(L, 1) && lua_getmetatable(L, 1)) {
		luaL_getmetatable(L, CLASS_ERROR);
		lua_pushboolean(L, lua_rawequal(L, -1, -2));
	}
	return 1;
}

/* The open buffer that a value is, or points into; else nil. */
static int host_buffer_of(lua_State *L) {
	luaL_checkany(L, 1);
	const BufferBox *buffer = bind_test_buffer(L, 1);
	if (!buffer && bind_test_pointer(L, 1)) {
		lua_getiuservalue(L, 1, 1);
		buffer = bind_test_buffer(L, -1);
	} else {
		lua_settop(L, 1);
	}
	if (!buffer || !buffer->open || !buffer->owner->device) lua_pushnil(L);
	return 1;
}

/* What completion may know about a value: its class's methods and fields; nil for others. */
static int host_members(lua_State *L) {
	if (!lua_isuserdata(L, 1) || !lua_getmetatable(L, 1)) return 0;
	lua_getfield(L, -1, "__methods");
	lua_getfield(L, -2, "__fields");
	return lua_istable(L, -2) ? 2 : 0;
}

/* members(nil, class) by name, for gpu.device before it is opened */
static int host_class_members(lua_State *L) {
	lua_pushfstring(L, "gpulab.%s", luaL_checkstring(L, 1));
	if (luaL_getmetatable(L, lua_tostring(L, -1)) != LUA_TTABLE) return 0;
	lua_getfield(L, -1, "__methods");
	lua_getfield(L, -2, "__fields");
	return lua_istable(L, -2) ? 2 : 0;
}

/* program() -> the path of this program, as others can start it; process() -> a name of this process */
static int host_program(lua_State *L) {
	char path[4096];
	const ssize_t n = readlink(proc_self(), path, sizeof path);
	if (n > 0 && strcmp(proc_self(), "/proc/self/exe") == 0)
		lua_pushlstring(L, path, (size_t)n);
	else
		lua_pushstring(L, proc_self());
	return 1;
}

static void append_file(void *user, const char *path) {
	lua_State *L = user;
	lua_pushstring(L, path);
	lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* program_files() -> this program, its loader and its libraries (device/remote/image.h), or nil */
static int host_program_files(lua_State *L) {
	lua_newtable(L);
	return image_files(append_file, L) ? 1 : 0;
}

static int host_process(lua_State *L) {
	lua_pushfstring(L, "%d", (int)getpid());
	return 1;
}

/* limits_given() -> what --limit and gpu.limits have set, as --limit takes it: {"compile_time=30", ...} */
static int host_limits_given(lua_State *L) {
	lua_Integer n = 0;
	lua_newtable(L);
	for (int i = 0; i < LIMITS; i++) {
		const LimitRow *row = limit_row((LimitId)i);
		char text[96];
		if (!limit_given((LimitId)i)) continue;
		const double value = limit_of((LimitId)i);
		snprintf(text, sizeof text, "%s=%.17g", row->name, row->unit == UNIT_MB ? value / 0x1p20 : value);
		lua_pushstring(L, text);
		lua_rawseti(L, -2, ++n);
	}
	return 1;
}

static const luaL_Reg functions[] = {
	{"catch", bind_catch},
	{"on_launch", bind_on_launch},
	{"name_buffers", bind_name_buffers},
	{"compare_predictions", bind_compare_predictions},
	METHODS(host, printed, array_bytes, isatty, program, program_files, process, columns, rows, seconds, protect, turns,
			kind, list, printable, results_to_stderr, keep_results, nearest, default_device, nvrtc, toolkit,
			limits_given, compiler_sandbox, digest, is_error, members, class_members, modules, buffer_of),
	METHODS_END};

int bind_host_module(lua_State *L) {
	compile_notice = show_notice;
	static const ErrKind kinds[] = {ERR_COMPILE, ERR_FAULT, ERR_WRONG, ERR_TIMEOUT, ERR_SETUP,
									ERR_FINDING, ERR_GATE,  ERR_USAGE, ERR_BUSY,    ERR_INTERRUPTED};
	luaL_newlib(L, functions);
	set_text(L, "cuda_home", GPULAB_CUDA_HOME);
	set_text(L, "source_root", GPULAB_SOURCE_ROOT);
	set_text(L, "data_folder", GPULAB_DATADIR);
	lua_newtable(L); /* exit codes by kind */
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		set_count(L, bind_kind_name(kinds[i]), kinds[i]);
	}
	lua_setfield(L, -2, "codes");
	static const char *const checks[] = {
#define CHECKER(id, name, what) #name,
#include "emu/check/checkers.def"
#undef CHECKER
	};
	lua_newtable(L);
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		lua_pushstring(L, checks[i]);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	lua_setfield(L, -2, "checks");
	return 1;
}
